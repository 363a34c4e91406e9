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
import type { Facts } from '#machines/decide/model.ts';
import { resolvePath } from '#machines/decide/paths.ts';
import type { MachinePlan, PlanStage } from '#machines/decide/plan.ts';
import { planOperation } from '#machines/decide/plan-operation.ts';
import type { SpecProblem } from '#machines/decide/problem.ts';
import type { ClusterSpec } from '#machines/decide/cluster-spec.ts';
import { declareCluster, deepSources } from '#machines/decide/tkestack.ts';
import { bindHooks, type Bound } from '#machines/decide/tkestack-hooks.ts';
import type { KubeObject } from '#kube/object.ts';
import { inBatches } from './batches.ts';
import { objectSpec, type PlanObjects } from './object-spec.ts';
import type { WantedOperation } from './due.ts';
import { betweenBatches, gateBindings, hookEntries, type HookEntries } from './hook-entries.ts';
import { clusterOf } from '#machines/read.ts';
import { segmentsOf, type Segment } from './segments.ts';

export type ObjectRequest = PlanObjects & {
  readonly wanted: WantedOperation;
  /** Relative sources count from this folder. */
  readonly root: string;
  /** `forceDelete` of the object that is deleted. */
  readonly force: boolean;
};

/** What the objects declare, before the file system is read. */
export type PreparedObject = {
  readonly objects: PlanObjects;
  readonly spec: ClusterSpec;
  readonly hooks: HookEntries;
  /** Addresses of masters that are no longer in the spec. */
  readonly gone: readonly string[];
  /** Paths to read before `planObject`, and the folders among them to list with all their sub-folders. */
  readonly sources: readonly string[];
  readonly deep: ReadonlySet<string>;
};

export type ObjectPlan = {
  readonly declaration: Declaration;
  readonly plan: MachinePlan;
  readonly segments: readonly Segment[];
};

export function prepareObject({ cluster, machines, wanted, root }: ObjectRequest): PreparedObject {
  const listed = new Set(clusterOf(cluster).spec.machines.map(({ ip }) => ip));
  const workers = new Set(machines.map((machine) => textAt(machine, 'metadata', 'name')));
  const gone =
    wanted.kind === 'node.delete'
      ? wanted.nodes.filter((node) => !listed.has(node) && !workers.has(node))
      : [];
  const hooks = hookEntries(cluster);
  const objects = { cluster, machines };
  const spec = objectSpec(objects, { root, hooks: hooks.commands, gone });
  return {
    objects,
    spec,
    hooks,
    gone,
    sources: [...spec.files.map(({ src }) => src), ...commandSources(cluster, root)],
    deep: new Set(deepSources(spec.files)),
  };
}

/** The plan of an operation in its segments, or the problems of the objects. */
export function planObject(
  request: ObjectRequest,
  prepared: PreparedObject,
  facts: Facts,
): ObjectPlan | { readonly problems: readonly SpecProblem[] } {
  const { wanted, force, root } = request;
  const cluster = clusterOf(request.cluster);
  const options = { agent: false, force, ...timeoutOf(cluster) };
  const { spec, hooks, gone } = prepared;
  const declared = declareCluster(spec, facts, options);
  const between = betweenBinding(request, prepared, facts);
  const kind = cluster.spec.installer ?? 'kubeadm';
  const problems = [
    ...hooks.problems,
    ...declared.problems,
    ...between.problems,
    ...(kind === 'commands' ? checkCommands(commandsDir(cluster, root), facts) : []),
    ...(kind === 'kubeadm' ? checkKubeadm(wanted.kind, declared.cluster) : []),
  ];
  if (problems.length > 0) return { problems };
  const skipped = new Set(cluster.spec.features?.skipConditions ?? []);
  const gates = gateBindings(hooks.templates);
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
  const plan = reachable(inBatches(whole, { workers, size }), gone);
  return { declaration, plan, segments: segmentsOf(plan, hooks.templates) };
}

/** A worker that cannot be reached holds its own operation. Nothing runs on masters that have left the spec. */
function reachable(plan: MachinePlan, gone: readonly string[]): MachinePlan {
  const onUnreachable = plan.operation === 'node.join' ? 'refuse' : plan.onUnreachable;
  if (gone.length === 0) return { ...plan, onUnreachable };
  const stages = plan.stages
    .map((stage): PlanStage => ({
      ...stage,
      steps: stage.steps
        .map((step) => ({ ...step, targets: step.targets.filter(({ node }) => !gone.includes(node)) }))
        .filter(({ targets }) => targets.length > 0),
    }))
    .filter(({ steps }) => steps.length > 0);
  return { ...plan, onUnreachable, stages };
}

/** A script between two batches: bound like a hook after the upgrade, and put in its places by `inBatches`. */
function betweenBinding({ cluster }: ObjectRequest, { spec }: PreparedObject, facts: Facts): Bound {
  const value: Json | undefined = objectAt(cluster, 'spec', 'features', 'upgrade')?.['betweenBatches'];
  if (typeof value !== 'string') return { bindings: [], problems: [] };
  const origin = { file: '', pointer: '/spec/features/upgrade/betweenBatches' };
  const { bindings, problems } = bindHooks([{ key: 'PostClusterUpgrade', value, origin }], {
    files: spec.files,
    facts,
    arguments: spec.hookArguments,
    force: false,
    ...timeoutOf(clusterOf(cluster)),
  });
  const condition = `Ensure${betweenBatches}Hook`;
  return { bindings: bindings.map((each) => ({ ...each, name: betweenBatches, condition })), problems };
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
  const cluster = clusterOf(object);
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
