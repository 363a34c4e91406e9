import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { MachineCredentials, MachineSpec } from './cluster-spec.ts';
import type { PlacedDocument } from './documents.ts';
import type { Origin, NodeRole } from './model.ts';
import { checkAddress, checkSecrets, credentialsOf, portOf, type CredentialOptions } from './node-fields.ts';
import { checkMarks, marksOf } from './node-marks.ts';
import { pointer, type SpecProblem } from './problem.ts';

/** One machine entry of a Cluster, or the spec of a Machine. */
type Entry = {
  readonly entry: Json;
  readonly origin: Origin;
  readonly roles: readonly NodeRole[];
  readonly name?: string;
};

export type ReadMachines = {
  readonly machines: readonly MachineSpec[];
  readonly problems: readonly SpecProblem[];
};

/** The masters of a Cluster, then the workers of its Machines, in the order of the files. */
export function readMachines(
  cluster: PlacedDocument,
  workers: readonly PlacedDocument[],
  options: CredentialOptions & { readonly hostKeys?: JsonObject | undefined },
): ReadMachines {
  const entries = entriesIn(cluster, workers);
  const read = entries.map((each) => ({ ...each, machine: machineOf(each, options) }));
  const problems = read.flatMap(({ entry, origin, machine }) => [
    ...checkAddress(entry, origin),
    ...missing(machine.credentials),
    ...checkSecrets(entry, origin),
    ...checkProxy(entry, machine),
    ...checkMarks(entry, origin),
  ]);
  const machines = read.map(({ machine }) => machine);
  const none = {
    origin: { file: cluster.file, pointer: `${cluster.prefix}/spec/machines` },
    message: 'at least one machine is required: the masters',
  };
  const hasMasters = listAt(cluster.document, 'spec', 'machines').length > 0;
  return { machines, problems: [...problems, ...(hasMasters ? [] : [none]), ...listedTwice(machines)] };
}

function entriesIn(cluster: PlacedDocument, workers: readonly PlacedDocument[]): readonly Entry[] {
  const masters = listAt(cluster.document, 'spec', 'machines').map((entry, index) => ({
    entry,
    origin: { file: cluster.file, pointer: cluster.prefix + pointer('spec', 'machines', index) },
    roles: ['master', 'etcd'] as const,
  }));
  return [
    ...masters,
    ...workers.map(({ document, file, prefix }) => {
      const name = textAt(document, 'metadata', 'name');
      const entry = objectAt(document, 'spec') ?? {};
      const origin = { file, pointer: `${prefix}/spec` };
      return { entry, origin, roles: ['worker'] as const, ...(name !== undefined && { name }) };
    }),
  ];
}

function machineOf(
  { entry, origin, roles, name }: Entry,
  options: CredentialOptions & { readonly hostKeys?: JsonObject | undefined },
): MachineSpec {
  const address = textAt(entry, 'ip') ?? '';
  const hostKey = textAt(entry, 'hostKey') ?? textAt(options.hostKeys, address);
  const proxy = objectAt(entry, 'proxy');
  const proxyKey = textAt(proxy, 'hostKey');
  const marks = marksOf(entry);
  return {
    name: name ?? address,
    address,
    port: portOf(entry),
    roles,
    credentials: credentialsOf(entry, origin, options),
    ...(proxy !== undefined && {
      jump: {
        address: textAt(proxy, 'ip') ?? '',
        port: portOf(proxy),
        credentials: credentialsOf(proxy, proxyOrigin(origin), options),
        ...(proxyKey !== undefined && { hostKey: proxyKey }),
      },
    }),
    ...(hostKey !== undefined && { hostKey }),
    ...(marks !== undefined && { marks }),
    origin,
  };
}

const missing = (credentials: MachineCredentials): readonly SpecProblem[] =>
  credentials.type === 'missing' ? [credentials.problem] : [];

const proxyOrigin = ({ file, pointer }: Origin): Origin => ({ file, pointer: `${pointer}/proxy` });

const proxyTypes = ['SSHJumpServer'];

function checkProxy(entry: Json, { origin: { file, pointer }, jump }: MachineSpec): readonly SpecProblem[] {
  const proxy = objectAt(entry, 'proxy');
  if (proxy === undefined || jump === undefined) return [];
  const origin = proxyOrigin({ file, pointer });
  const type = textAt(proxy, 'type');
  if (type === undefined || !proxyTypes.includes(type))
    return [
      {
        origin: { file, pointer: `${pointer}/proxy/type` },
        message: `the proxy type ${JSON.stringify(type ?? '')} is not supported`,
        valid: proxyTypes,
      },
    ];
  return [...checkAddress(proxy, origin), ...missing(jump.credentials), ...checkSecrets(proxy, origin)];
}

/** One login per machine: the same address and port, or the same name, would be one host in two places. */
function listedTwice(machines: readonly MachineSpec[]): readonly SpecProblem[] {
  const seen = new Map<string, Origin>();
  return machines.flatMap(({ name, address, port, origin }): readonly SpecProblem[] => {
    const keys = [`name ${name}`, `${address} port ${port}`];
    const found = keys.find((key) => seen.has(key));
    const first = found === undefined ? undefined : seen.get(found);
    for (const key of keys) if (!seen.has(key)) seen.set(key, origin);
    if (found === undefined || address === '') return [];
    const message = `the machine ${found.replace('name ', '')} is listed twice, first at ${placeOf(first, origin)}`;
    return [{ origin, message }];
  });
}

const placeOf = (first: Origin | undefined, here: Origin): string =>
  first === undefined || first.file === here.file ? (first?.pointer ?? '') : `${first.file}${first.pointer}`;
