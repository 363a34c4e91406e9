import type { Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { Millis } from '#base/time.ts';
import type { ClusterSpec, MachineCredentials, MachineSpec } from './cluster-spec.ts';
import type { Declaration } from './declaration.ts';
import type { Documents } from './documents.ts';
import { checkFiles, linkNotes } from './file-entries.ts';
import type { ClusterNode, Facts, FileEntry, Jump, NodeLogin, Origin } from './model.ts';
import { markCondition, markConditions, unmarked } from './node-marks.ts';
import type { CredentialOptions } from './node-fields.ts';
import type { PlanNote } from './plan.ts';
import { readClusterFiles } from './read-cluster.ts';
import { bindHooks, tkestackHookTypes } from './tkestack-hooks.ts';

export type DeclareOptions = {
  /** For hooks: the format has no field for it. */
  readonly timeout?: Millis;
  /** A removal continues when a hook fails. */
  readonly force: boolean;
};

/** Every path on the operator's machine that must be read before `compileTkestack`. */
export const tkestackSources = (files: readonly Documents[]): readonly string[] =>
  readClusterFiles(files, { agent: false }).files.map(({ src }) => src);

/** The paths among them whose folders are listed with all their sub-folders. */
export const tkestackDeepSources = (files: readonly Documents[]): readonly string[] =>
  deepSources(readClusterFiles(files, { agent: false }).files);

export const deepSources = (files: readonly FileEntry[]): readonly string[] =>
  files.flatMap(({ src, recursive }) => (recursive ? [src] : []));

/** A Cluster and its Machines in files as a declaration. */
export const compileTkestack = (
  files: readonly Documents[],
  facts: Pick<Facts, 'sources'>,
  options: DeclareOptions & CredentialOptions,
): Declaration => declareCluster(readClusterFiles(files, options), facts, options);

/** A Cluster and its Machines as a declaration. */
export function declareCluster(
  spec: ClusterSpec,
  facts: Pick<Facts, 'sources'>,
  { timeout, force }: DeclareOptions,
): Declaration {
  const { files, skipConditions: skipped } = spec;
  const hooks = bindHooks(spec.hooks.entries, {
    files,
    facts,
    arguments: spec.hookArguments,
    ...(timeout !== undefined && { timeout }),
    force,
  });
  const kept = hooks.bindings.filter(({ condition }) => !skipped.has(condition ?? ''));
  const nodes = spec.machines.map(nodeOf);
  return {
    cluster: {
      ...spec.cluster,
      nodes: nodes.map((node) => (skipped.has(markCondition(node)) ? unmarked(node) : node)),
      endpoint: { host: nodes[0]?.address ?? '', port: 6443 },
    },
    bindings: kept,
    files: skipped.has('EnsureCopyFiles') ? [] : files,
    problems: [...spec.problems, ...checkFiles(files, facts), ...spec.hooks.problems, ...hooks.problems],
    notes: [
      ...linkNotes(files, facts),
      ...skipNotes(hooks.bindings.length - kept.length, spec),
      ...vainSkips(spec),
    ],
  };
}

const nodeOf = ({ credentials, jump, ...machine }: MachineSpec): ClusterNode => ({
  ...machine,
  login: loginOf(credentials),
  ...(jump !== undefined && { jump: jumpOf(jump) }),
});

const jumpOf = ({ credentials, ...host }: NonNullable<MachineSpec['jump']>): Jump => ({
  ...host,
  login: loginOf(credentials),
});

const loginOf = (credentials: MachineCredentials): NodeLogin =>
  credentials.type === 'given' ? credentials.login : { user: 'root', methods: [], sudo: false };

const skipOrigin = ({ origin: { file, pointer } }: ClusterSpec): Origin => ({
  file,
  pointer: `${pointer}/features/skipConditions`,
});

const skipNotes = (count: number, spec: ClusterSpec): readonly PlanNote[] =>
  count === 0
    ? []
    : [
        {
          type: 'notice',
          message: `${count} ${count === 1 ? 'hook is' : 'hooks are'} skipped by skipConditions`,
          origin: skipOrigin(spec),
        },
      ];

const skippable: readonly Json[] = [
  'EnsureCopyFiles',
  ...markConditions,
  ...tkestackHookTypes.map((type) => `Ensure${type}Hook`),
];

/** TKEStack has many more steps than there are here. */
function vainSkips(spec: ClusterSpec): readonly PlanNote[] {
  const vain = [...spec.skipConditions].filter((each) => !skippable.includes(each));
  if (vain.length === 0) return [];
  const message = `skipConditions names no step that can be left out here: ${vain.map((each) => printJson(each)).join(', ')}`;
  return [{ type: 'notice', message, origin: skipOrigin(spec) }];
}
