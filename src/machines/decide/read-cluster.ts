import { hashText } from '#base/hash.ts';
import { at, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { checkCidr } from '#kube/names.ts';
import type { ClusterSpec } from './cluster-spec.ts';
import { placed, type Documents, type PlacedDocument } from './documents.ts';
import { checkFileShapes, readFiles } from './file-entries.ts';
import type { CredentialOptions } from './node-fields.ts';
import { folderOf } from './paths.ts';
import { problemAt, type SpecProblem } from './problem.ts';
import { readMachines } from './read-machines.ts';
import { hookArguments, readHooks } from './tkestack-hooks.ts';
import { checkUpgrade, upgradeOf } from './tkestack-upgrade.ts';

const group = 'platform.tkestack.io/';
const kinds = ['Cluster', 'Machine'];

export const isTkestack = (document: Json): boolean =>
  (textAt(document, 'apiVersion') ?? '').startsWith(group);

/** A Cluster and its Machines from files. */
export function readClusterFiles(files: readonly Documents[], options: CredentialOptions): ClusterSpec {
  const all = placed(files);
  const clusters = all.filter(({ document }) => textAt(document, 'kind') === 'Cluster');
  const machines = all.filter(({ document }) => textAt(document, 'kind') === 'Machine');
  const [cluster = { document: {}, file: files[0]?.file ?? '', prefix: '' }] = clusters;
  const hooks = at(cluster.document, 'spec', 'features', 'hooks');
  const spec = readCluster({ cluster, machines, hooks, folder: folderOf(cluster.file) }, options);
  return { ...spec, problems: [...checkKinds(all, clusters), ...spec.problems] };
}

export type ClusterSource = {
  readonly cluster: PlacedDocument;
  readonly machines: readonly PlacedDocument[];
  /** `features.hooks`. */
  readonly hooks: Json | undefined;
  /** Relative sources count from this folder. */
  readonly folder: string;
  /** Host keys by address, for entries without their own. */
  readonly hostKeys?: JsonObject | undefined;
};

/** A Cluster and its Machines; whatever cannot be read is among the problems. */
export function readCluster(source: ClusterSource, options: CredentialOptions): ClusterSpec {
  const { cluster: main, machines, hooks, folder, hostKeys } = source;
  const { document, file, prefix } = main;
  const spec = objectAt(document, 'spec');
  const read = readMachines(main, machines, { ...options, hostKeys });
  const address = read.machines[0]?.address ?? '';
  const id = textAt(document, 'metadata', 'name') ?? nameFor(address, file);
  return {
    cluster: clusterOf(id, file, spec),
    machines: read.machines,
    files: readFiles(main, folder),
    hooks: readHooks(hooks, main),
    hookArguments: hookArguments(objectAt(document, 'metadata')),
    skipConditions: new Set(listAt(spec, 'features', 'skipConditions')),
    origin: { file, pointer: `${prefix}/spec` },
    problems: [
      ...read.problems,
      ...checkSpec(spec, main),
      ...checkUpgrade(spec, main),
      ...checkMetadata(main),
      ...checkMembership(machines, id),
      ...checkFileShapes(main),
    ],
  };
}

function clusterOf(id: string, file: string, spec: JsonObject | undefined): ClusterSpec['cluster'] {
  const text = (name: string, key: string): object => {
    const value = textAt(spec, key);
    return value === undefined || value === '' ? {} : { [name]: value };
  };
  return {
    id,
    format: 'tkestack',
    file,
    configDir: '/etc/kubernetes',
    podCidr: textAt(spec, 'clusterCIDR') ?? '10.244.0.0/16',
    ...text('version', 'version'),
    ...text('serviceCidr', 'serviceCIDR'),
    ...text('dnsDomain', 'dnsDomain'),
    ...upgradeOf(spec),
    ...(at(spec, 'adopt') === true && { accepts: ['*'] }),
    certificateNames: listAt(spec, 'publicAlternativeNames').filter((each) => typeof each === 'string'),
  };
}

/** The same for the same file, so that its journal is found again. */
const nameFor = (address: string, file: string): string =>
  `cls-${hashText(`Cluster\n${address}\n${file}`).slice(0, 8)}`;

function checkKinds(
  all: readonly PlacedDocument[],
  clusters: readonly PlacedDocument[],
): readonly SpecProblem[] {
  const unknown = all
    .filter(({ document }) => !isTkestack(document) || !kinds.includes(textAt(document, 'kind') ?? ''))
    .map(({ document, file, prefix }) => ({
      origin: { file, pointer: `${prefix}/kind` },
      message: `"${textAt(document, 'kind') ?? ''}" of "${textAt(document, 'apiVersion') ?? ''}" is not known here`,
      valid: kinds.map((kind) => `${kind} of platform.tkestack.io/v1`),
    }));
  const many = clusters
    .slice(1)
    .map(({ file, prefix }) => problemAt(file, prefix, 'a second Cluster: only one is allowed'));
  const none = { origin: { file: all[0]?.file ?? '', pointer: '' }, message: 'there is no Cluster object' };
  return [...unknown, ...many, ...(clusters.length === 0 ? [none] : [])];
}

function checkSpec(spec: Json | undefined, { file, prefix }: PlacedDocument): readonly SpecProblem[] {
  const cidr = textAt(spec, 'clusterCIDR');
  const type = textAt(spec, 'type');
  const badCidr = problemAt(
    file,
    `${prefix}/spec/clusterCIDR`,
    `"${cidr ?? ''}" is not a CIDR such as 10.244.0.0/16`,
  );
  const badType = {
    origin: { file, pointer: `${prefix}/spec/type` },
    message: `clusters of type "${type ?? ''}" have no machines to run hooks on`,
    valid: ['Baremetal', 'Edge'],
  };
  return [
    ...(cidr !== undefined && checkCidr(cidr).length > 0 ? [badCidr] : []),
    ...(type !== undefined && !badType.valid.includes(type) ? [badType] : []),
  ];
}

/** Labels and annotations become arguments of hooks. */
const checkMetadata = ({ document, file, prefix }: PlacedDocument): readonly SpecProblem[] =>
  ['labels', 'annotations']
    .filter((key) => !isObject(at(document, 'metadata', key) ?? {}))
    .map((key) => problemAt(file, `${prefix}/metadata/${key}`, 'must be a map from key to string'));

const checkMembership = (machines: readonly PlacedDocument[], id: string): readonly SpecProblem[] =>
  machines.flatMap(({ document, file, prefix }): readonly SpecProblem[] => {
    const name = textAt(document, 'spec', 'clusterName');
    if (name === undefined || name === id) return [];
    const origin = { file, pointer: `${prefix}/spec/clusterName` };
    return [{ origin, message: `the machine belongs to "${name}", not to "${id}"` }];
  });
