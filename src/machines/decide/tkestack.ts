import { hashText } from '#base/hash.ts';
import { at, isObject, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { Millis } from '#base/time.ts';
import { checkCidr } from '#kube/names.ts';
import type { Declaration } from './declaration.ts';
import { checkFiles, linkNotes, readFiles } from './file-entries.ts';
import type { Cluster, Facts } from './model.ts';
import type { LoginOptions } from './node-fields.ts';
import { markCondition, markConditions, unmarked } from './node-marks.ts';
import type { PlanNote } from './plan.ts';
import { placed, type Documents, type Placed } from './placed.ts';
import type { Problem } from './problem.ts';
import { bindHooks, hookArguments, tkestackHookTypes } from './tkestack-hooks.ts';
import { checkNodes, nodesIn } from './tkestack-nodes.ts';
import { checkUpgrade, upgradeOf } from './tkestack-upgrade.ts';

export type TkestackOptions = LoginOptions & {
  /** For hooks: the format has no field for it. */
  readonly timeout?: Millis;
  /** Removal goes on when a hook fails. */
  readonly force: boolean;
};

const group = 'platform.tkestack.io/';

export const isTkestack = (document: Json): boolean =>
  (textAt(document, 'apiVersion') ?? '').startsWith(group);

/** Every path on the operator's machine that must be looked at before `compileTkestack`. */
export const tkestackSources = (files: readonly Documents[]): readonly string[] =>
  placed(files)
    .filter(({ document }) => textAt(document, 'kind') === 'Cluster')
    .flatMap((each) => readFiles(each).map(({ src }) => src));

/** Those of them whose folders are to be listed to their depths. */
export const tkestackDeepSources = (files: readonly Documents[]): readonly string[] =>
  placed(files).flatMap((each) => readFiles(each).flatMap(({ src, recursive }) => (recursive ? [src] : [])));

/** A Cluster and its Machines as a declaration. */
export function compileTkestack(
  files: readonly Documents[],
  facts: Pick<Facts, 'sources'>,
  options: TkestackOptions,
): Declaration {
  const all = placed(files);
  const clusters = all.filter(({ document }) => textAt(document, 'kind') === 'Cluster');
  const [main = nowhere(files)] = clusters;
  const machines = all.filter(({ document }) => textAt(document, 'kind') === 'Machine');
  const spec = objectAt(main.document, 'spec');
  const entries = readFiles(main);
  const hooks = bindHooks({
    placed: main,
    files: entries,
    facts,
    arguments: hookArguments(objectAt(main.document, 'metadata')),
    ...(options.timeout !== undefined && { timeout: options.timeout }),
    force: options.force,
  });
  const skipped = new Set(listAt(spec, 'features', 'skipConditions'));
  const kept = hooks.bindings.filter(({ condition }) => !skipped.has(condition ?? ''));
  const cluster = withoutSkipped(clusterOf(main, machines, options), skipped);
  return {
    cluster,
    bindings: kept,
    files: skipped.has('EnsureCopyFiles') ? [] : entries,
    problems: [
      ...checkKinds(all, clusters),
      ...checkNodes(main, machines, options),
      ...checkSpec(spec, main),
      ...checkUpgrade(spec, main),
      ...checkMetadata(main),
      ...checkMachines(machines, cluster),
      ...checkFiles(main, facts),
      ...hooks.problems,
    ],
    notes: [
      ...linkNotes(entries, facts),
      ...skipNotes(hooks.bindings.length - kept.length, main),
      ...vainSkips(skipped, main),
    ],
  };
}

function clusterOf(main: Placed, machines: readonly Placed[], options: LoginOptions): Cluster {
  const nodes = nodesIn(main, machines, options);
  const [first] = nodes;
  const spec = objectAt(main.document, 'spec');
  const text = (name: string, key: string): object => {
    const value = textAt(spec, key);
    return value === undefined || value === '' ? {} : { [name]: value };
  };
  return {
    id: textAt(main.document, 'metadata', 'name') ?? nameFor(first?.address ?? '', main.file),
    format: 'tkestack',
    file: main.file,
    nodes,
    endpoint: { host: first?.address ?? '', port: 6443 },
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

/** The same file finds its journal again (decision 24). */
const nameFor = (address: string, file: string): string =>
  `cls-${hashText(`Cluster\n${address}\n${file}`).slice(0, 8)}`;

function checkKinds(all: readonly Placed[], clusters: readonly Placed[]): readonly Problem[] {
  const kinds = ['Cluster', 'Machine'];
  const unknown = all
    .filter(({ document }) => !isTkestack(document) || !kinds.includes(textAt(document, 'kind') ?? ''))
    .map(({ document, file, prefix }) => ({
      origin: { file, pointer: `${prefix}/kind` },
      message: `"${textAt(document, 'kind') ?? ''}" of "${textAt(document, 'apiVersion') ?? ''}" is not known here`,
      valid: kinds.map((kind) => `${kind} of platform.tkestack.io/v1`),
    }));
  const many = clusters.slice(1).map(({ file, prefix }) => ({
    origin: { file, pointer: prefix },
    message: 'a second Cluster: one at a time',
  }));
  const none = { origin: { file: all[0]?.file ?? '', pointer: '' }, message: 'there is no Cluster object' };
  return [...unknown, ...many, ...(clusters.length === 0 ? [none] : [])];
}

function checkSpec(spec: Json | undefined, { file, prefix }: Placed): readonly Problem[] {
  const problems: Problem[] = [];
  const cidr = textAt(spec, 'clusterCIDR');
  if (cidr !== undefined && checkCidr(cidr).length > 0)
    problems.push({
      origin: { file, pointer: `${prefix}/spec/clusterCIDR` },
      message: `"${cidr}" is no CIDR such as 10.244.0.0/16`,
    });
  const type = textAt(spec, 'type');
  if (type !== undefined && !['Baremetal', 'Edge'].includes(type))
    problems.push({
      origin: { file, pointer: `${prefix}/spec/type` },
      message: `clusters of type "${type}" have no machines to run hooks on`,
      valid: ['Baremetal', 'Edge'],
    });
  return problems;
}

/** They become arguments: what is no map would be none. */
const checkMetadata = ({ document, file, prefix }: Placed): readonly Problem[] =>
  ['labels', 'annotations']
    .filter((key) => !isObject(at(document, 'metadata', key) ?? {}))
    .map((key) => ({
      origin: { file, pointer: `${prefix}/metadata/${key}` },
      message: 'must be a map from key to text',
    }));

const checkMachines = (machines: readonly Placed[], { id }: Cluster): readonly Problem[] =>
  machines.flatMap(({ document, file, prefix }): readonly Problem[] => {
    const name = textAt(document, 'spec', 'clusterName');
    if (name === undefined || name === id) return [];
    return [
      {
        origin: { file, pointer: `${prefix}/spec/clusterName` },
        message: `the machine belongs to "${name}", not to "${id}"`,
      },
    ];
  });

const skipNotes = (count: number, { file, prefix }: Placed): readonly PlanNote[] =>
  count === 0
    ? []
    : [
        {
          type: 'notice',
          message: `${count} ${count === 1 ? 'hook is' : 'hooks are'} left out by skipConditions`,
          origin: { file, pointer: `${prefix}/spec/features/skipConditions` },
        },
      ];

const withoutSkipped = (cluster: Cluster, skipped: ReadonlySet<Json>): Cluster => ({
  ...cluster,
  nodes: cluster.nodes.map((node) => (skipped.has(markCondition(node)) ? unmarked(node) : node)),
});

const skippable: readonly Json[] = [
  'EnsureCopyFiles',
  ...markConditions,
  ...tkestackHookTypes.map((type) => `Ensure${type}Hook`),
];

/** TKEStack has many more steps than there are here. */
function vainSkips(skipped: ReadonlySet<Json>, { file, prefix }: Placed): readonly PlanNote[] {
  const vain = [...skipped].filter((each) => !skippable.includes(each));
  if (vain.length === 0) return [];
  const message = `skipConditions names no step that can be left out here: ${vain.map((each) => printJson(each)).join(', ')}`;
  return [{ type: 'notice', message, origin: { file, pointer: `${prefix}/spec/features/skipConditions` } }];
}

const nowhere = (files: readonly Documents[]): Placed => ({
  document: {},
  file: files[0]?.file ?? '',
  prefix: '',
});
