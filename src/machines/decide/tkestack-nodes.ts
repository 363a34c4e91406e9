import { listAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { ClusterNode, Jump, Origin, Role } from './model.ts';
import { checkAddress, checkLogin, loginOf, portOf, type LoginOptions } from './node-fields.ts';
import { checkMarks, marksOf } from './node-marks.ts';
import type { Placed } from './placed.ts';
import { pointer, type Problem } from './problem.ts';

/** One machine entry of a Cluster, or the spec of a Machine. */
type Entry = {
  readonly entry: Json;
  readonly origin: Origin;
  readonly roles: readonly Role[];
  readonly name?: string;
};

/** The masters of a Cluster, then the workers of its Machines, in the order of the files. */
export const nodesIn = (
  cluster: Placed,
  machines: readonly Placed[],
  options: LoginOptions,
): readonly ClusterNode[] => entriesIn(cluster, machines).map((each) => nodeOf(each, options));

export function checkNodes(
  cluster: Placed,
  machines: readonly Placed[],
  options: LoginOptions,
): readonly Problem[] {
  const entries = entriesIn(cluster, machines);
  const problems = entries.flatMap(({ entry, origin }) => [
    ...checkAddress(entry, origin),
    ...checkLogin(entry, origin, options),
    ...checkProxy(entry, origin, options),
    ...checkMarks(entry, origin),
  ]);
  if (listAt(cluster.document, 'spec', 'machines').length === 0)
    problems.push({
      origin: { file: cluster.file, pointer: `${cluster.prefix}/spec/machines` },
      message: 'at least one machine is required: the masters',
    });
  return [...problems, ...sameTwice(entries, options)];
}

function entriesIn(cluster: Placed, machines: readonly Placed[]): readonly Entry[] {
  const masters = listAt(cluster.document, 'spec', 'machines').map((entry, index) => ({
    entry,
    origin: { file: cluster.file, pointer: cluster.prefix + pointer('spec', 'machines', index) },
    roles: ['master', 'etcd'] as const,
  }));
  const workers = machines.map(({ document, file, prefix }) => {
    const name = textAt(document, 'metadata', 'name');
    const entry = objectAt(document, 'spec') ?? {};
    const origin = { file, pointer: `${prefix}/spec` };
    return { entry, origin, roles: ['worker'] as const, ...(name !== undefined && { name }) };
  });
  return [...masters, ...workers];
}

function nodeOf({ entry, origin, roles, name }: Entry, options: LoginOptions): ClusterNode {
  const address = textAt(entry, 'ip') ?? '';
  const hostKey = textAt(entry, 'hostKey');
  const jump = jumpOf(entry, origin, options);
  const marks = marksOf(entry);
  return {
    name: name ?? address,
    address,
    port: portOf(entry),
    roles,
    login: loginOf(entry, origin, options),
    ...(jump !== undefined && { jump }),
    ...(hostKey !== undefined && { hostKey }),
    ...(marks !== undefined && { marks }),
    origin,
  };
}

function jumpOf(entry: Json, { file, pointer }: Origin, options: LoginOptions): Jump | undefined {
  const proxy = objectAt(entry, 'proxy');
  if (proxy === undefined) return undefined;
  const hostKey = textAt(proxy, 'hostKey');
  return {
    address: textAt(proxy, 'ip') ?? '',
    port: portOf(proxy),
    login: loginOf(proxy, { file, pointer: `${pointer}/proxy` }, options),
    ...(hostKey !== undefined && { hostKey }),
  };
}

const proxyTypes = ['SSHJumpServer'];

function checkProxy(entry: Json, { file, pointer }: Origin, options: LoginOptions): readonly Problem[] {
  const proxy = objectAt(entry, 'proxy');
  if (proxy === undefined) return [];
  const origin = { file, pointer: `${pointer}/proxy` };
  const type = textAt(proxy, 'type');
  if (type === undefined || !proxyTypes.includes(type))
    return [
      {
        origin: { file, pointer: `${pointer}/proxy/type` },
        message: `the proxy type ${JSON.stringify(type ?? '')} is not supported`,
        valid: proxyTypes,
      },
    ];
  return [...checkAddress(proxy, origin), ...checkLogin(proxy, origin, options)];
}

/** One login per machine: the same address and port, or the same name, would be one host in two places. */
function sameTwice(entries: readonly Entry[], options: LoginOptions): readonly Problem[] {
  const seen = new Map<string, Origin>();
  return entries.flatMap((each): readonly Problem[] => {
    const { name, address, port } = nodeOf(each, options);
    const keys = [`name ${name}`, `${address} port ${port}`];
    const found = keys.find((key) => seen.has(key));
    const first = found === undefined ? undefined : seen.get(found);
    for (const key of keys) if (!seen.has(key)) seen.set(key, each.origin);
    if (found === undefined || address === '') return [];
    const message = `the machine ${found.replace('name ', '')} is listed twice, first at ${placeOf(first, each.origin)}`;
    return [{ origin: each.origin, message }];
  });
}

const placeOf = (first: Origin | undefined, here: Origin): string =>
  first === undefined || first.file === here.file ? (first?.pointer ?? '') : `${first.file}${first.pointer}`;
