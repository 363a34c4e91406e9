import type { Cluster as ClusterObject } from '#machines/kinds/cluster.ts';
import { parseDuration } from '#base/duration.ts';
import { objectAt, textAt, type Json } from '#base/json.ts';
import {
  checkCommands,
  commandPaths,
  commandsInstaller,
  noInstaller,
} from '#machines/decide/commands-installer.ts';
import type { Installer } from '#machines/decide/installer.ts';
import { checkKubeadm, kubeadmInstaller } from '#machines/decide/kubeadm/installer.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import type { Binding, Facts } from '#machines/decide/model.ts';
import { resolvePath } from '#machines/decide/paths.ts';
import type { Plan, Stage } from '#machines/decide/plan.ts';
import { planOperation } from '#machines/decide/plan-operation.ts';
import type { Problem } from '#machines/decide/problem.ts';
import { compileTkestack, tkestackDeepSources, tkestackSources } from '#machines/decide/tkestack.ts';
import { bindHooks, hookArguments } from '#machines/decide/tkestack-hooks.ts';
import { readFiles } from '#machines/decide/file-entries.ts';
import type { KubeObject } from '#kube/object.ts';
import { inBatches } from './batches.ts';
import { atPointer, documentsOf, type ObjectDocuments } from './documents.ts';
import type { Wanted } from './due.ts';
import { betweenBatches, gateBindings, hookEntries, type HookEntries } from './hook-entries.ts';
import { asCluster } from './objects.ts';
import { segmentsOf, type Segment } from './segments.ts';

export type ObjectRequest = {
  /** With their credentials filled in. */
  readonly cluster: KubeObject;
  readonly machines: readonly KubeObject[];
  readonly wanted: Wanted;
  readonly root: string;
  /** `forceDelete` of the object that is deleted. */
  readonly force: boolean;
};

export type Prepared = {
  readonly documents: ObjectDocuments;
  readonly entries: HookEntries;
  /** Paths to look at before `planObject`, and those of them to look into to their depths. */
  readonly sources: readonly string[];
  readonly deep: ReadonlySet<string>;
};

export type Planned = {
  readonly declaration: Declaration;
  readonly plan: Plan;
  readonly segments: readonly Segment[];
};

/** What an object says, before the file system was looked at. */
export function prepareObject({ cluster, machines, wanted, root }: ObjectRequest): Prepared {
  const listed = new Set(asCluster(cluster).spec.machines.map(({ ip }) => ip));
  const workers = new Set(machines.map((machine) => textAt(machine, 'metadata', 'name')));
  const gone =
    wanted.kind === 'node.delete'
      ? wanted.nodes.filter((node) => !listed.has(node) && !workers.has(node))
      : [];
  const entries = hookEntries(cluster, `${root}/Cluster`);
  const documents = documentsOf(root, { cluster, machines }, { commands: entries.commands, gone });
  return {
    documents,
    entries,
    sources: [...tkestackSources(documents.files), ...commandSources(cluster, root)],
    deep: new Set(tkestackDeepSources(documents.files)),
  };
}

/** The plan of an operation in its parts; or what is wrong with the object. */
export function planObject(
  request: ObjectRequest,
  prepared: Prepared,
  facts: Facts,
): Planned | { readonly problems: readonly Problem[] } {
  const { wanted, force, root } = request;
  const cluster = asCluster(request.cluster);
  const options = { agent: false, force, ...timeoutOf(cluster) };
  const { documents, entries } = prepared;
  const declared = compileTkestack(documents.files, facts, options);
  const between = betweenBinding(request, prepared, facts);
  const kind = cluster.spec.installer ?? 'kubeadm';
  const problems = [
    ...entries.problems,
    ...declared.problems.map((problem) => aboutSecret(problem, documents)),
    ...between.problems,
    ...(kind === 'commands' ? checkCommands(commandsDir(cluster, root), facts) : []),
    ...(kind === 'kubeadm' ? checkKubeadm(wanted.kind, declared.cluster) : []),
  ];
  if (problems.length > 0) return { problems };
  const skipped = new Set(cluster.spec.features?.skipConditions ?? []);
  const gates = gateBindings(entries.templates, documents.main);
  const added = [...between.bindings, ...gates].filter(({ condition = '' }) => !skipped.has(condition));
  const declaration = { ...declared, bindings: [...declared.bindings, ...added] };
  const whole = planOperation({
    operation: wanted.kind,
    declaration,
    facts,
    nodes: wanted.nodes,
    installer: installerFor(cluster, root, facts),
    parallel: cluster.spec.parallel ?? 20,
    force,
  });
  const workers = declared.cluster.nodes
    .filter(({ roles }) => roles.includes('worker'))
    .map(({ name }) => name);
  const size = cluster.spec.features?.upgrade?.batchSize ?? 1;
  const plan = reachable(inBatches(whole, { workers, size }), documents.main, declared, cluster);
  return { declaration, plan, segments: segmentsOf(plan, entries.templates) };
}

/** An entry whose Secret has no login: the mistake is there, and not where the compiler of files looks for it. */
function aboutSecret(problem: Problem, documents: ObjectDocuments): Problem {
  const entry = problem.origin.pointer.replace(/\/password$/, '');
  if (entry === problem.origin.pointer) return problem;
  const from = atPointer(documents, { file: problem.origin.file, pointer: `${entry}/credentialsFrom` });
  if (from === undefined) return problem;
  const secret = `${textAt(from, 'namespace') ?? 'default'}/${textAt(from, 'name') ?? ''}`;
  return {
    origin: { ...problem.origin, pointer: `${entry}/credentialsFrom` },
    message: `the Secret ${secret} has neither a password nor a privateKey: give it one of these keys`,
  };
}

/** A worker that cannot be reached holds its own operation; only removal with force goes on without. */
function reachable(plan: Plan, main: string, declared: Declaration, { spec }: ClusterObject): Plan {
  const listed = new Set(spec.machines.map(({ ip }) => ip));
  const gone = new Set(
    declared.cluster.nodes
      .filter(({ origin, address }) => origin.file === main && !listed.has(address))
      .map(({ name }) => name),
  );
  const onUnreachable = plan.operation === 'node.join' ? 'refuse' : plan.onUnreachable;
  if (gone.size === 0) return { ...plan, onUnreachable };
  const stages = plan.stages
    .map((stage): Stage => ({
      ...stage,
      steps: stage.steps
        .map((step) => ({ ...step, targets: step.targets.filter(({ node }) => !gone.has(node)) }))
        .filter(({ targets }) => targets.length > 0),
    }))
    .filter(({ steps }) => steps.length > 0);
  return { ...plan, onUnreachable, stages };
}

/** A script between two batches: bound like a cluster hook of the upgrade, and put in its places later. */
function betweenBinding(
  { cluster }: ObjectRequest,
  { documents }: Prepared,
  facts: Facts,
): { readonly bindings: readonly Binding[]; readonly problems: readonly Problem[] } {
  const command: Json | undefined = objectAt(cluster, 'spec', 'features', 'upgrade')?.['betweenBatches'];
  const document = documents.files[0]?.documents[0];
  if (typeof command !== 'string' || document === undefined) return { bindings: [], problems: [] };
  const hooks = { spec: { features: { hooks: { PostClusterUpgrade: command } } } };
  const { bindings, problems } = bindHooks({
    placed: { document: hooks, file: documents.main, prefix: '' },
    files: readFiles({ document, file: documents.main, prefix: '' }),
    facts,
    arguments: hookArguments(objectAt(cluster, 'metadata')),
    force: false,
    ...timeoutOf(asCluster(cluster)),
  });
  const origin = { file: documents.main, pointer: '/spec/features/upgrade/betweenBatches' };
  return {
    bindings: bindings.map((binding) => ({
      ...binding,
      name: betweenBatches,
      condition: `Ensure${betweenBatches}Hook`,
      origin,
    })),
    problems: problems.map((problem) => ({ ...problem, origin })),
  };
}

const timeoutOf = ({
  spec,
}: ClusterObject): { readonly timeout?: ReturnType<typeof parseDuration> & number } => {
  const timeout = spec.hookTimeout === undefined ? undefined : parseDuration(spec.hookTimeout);
  return timeout === undefined ? {} : { timeout };
};

const commandsDir = ({ spec }: ClusterObject, root: string): string =>
  resolvePath(root, spec.commandsDir ?? 'commands');

function commandSources(object: KubeObject, root: string): readonly string[] {
  const cluster = asCluster(object);
  return cluster.spec.installer === 'commands' ? commandPaths(commandsDir(cluster, root)) : [];
}

function installerFor(cluster: ClusterObject, root: string, facts: Facts): Installer {
  switch (cluster.spec.installer ?? 'kubeadm') {
    case 'none':
      return noInstaller;
    case 'commands':
      return commandsInstaller(commandsDir(cluster, root), facts);
    case 'kubeadm':
      return kubeadmInstaller('');
  }
}
