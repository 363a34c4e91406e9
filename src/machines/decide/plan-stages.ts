import { hookSteps } from './hook-steps.ts';
import { installStage, installSteps, type InstallContext } from './install-steps.ts';
import type { Installer, InstallRequest } from './installer.ts';
import { itemSteps } from './item-steps.ts';
import type { Binding, ClusterNode, Point } from './model.ts';
import { cleanPath } from './paths.ts';
import type { FilesStep, RemoveStep, PlanStage, PlanStep } from './plan.ts';
import { repeatable, tkestackPolicy } from './presets.ts';

export type StageContext = InstallContext & {
  readonly bindings: readonly Binding[];
  readonly installer: Installer;
  readonly undo?: Undo;
};

/** A rollback: of this operation, on these nodes, and of what it made on some of them. */
export type Undo = {
  readonly operation: string;
  readonly touched: readonly string[];
  readonly made: readonly string[];
};

type Level = 'cluster' | 'node' | 'local';

const levels: Readonly<Record<Binding['scope']['type'], Level>> = {
  once: 'cluster',
  each: 'node',
  local: 'local',
};

/** The bindings of a point in the order of their running: outer ones come first before the work, last after it. */
function bindingsAt(level: Level, point: Point, context: StageContext): readonly Binding[] {
  const sign = point === 'post' ? -1 : 1;
  return context.bindings
    .filter((each) => each.operations.includes(context.operation) && each.point === point)
    .filter(({ scope, stage }) => stage === undefined && levels[scope.type] === level)
    .sort((a, b) => sign * (a.depth - b.depth));
}

export const hooks = (level: Level, point: Point, context: StageContext, prefix = ''): PlanStage => ({
  id: `${prefix}${level}-${point}`,
  title: `${point} hooks of the ${level}`,
  steps: bindingsAt(level, point, context).flatMap((binding) =>
    stepsOfBinding(binding, `${prefix}${level}-${point}`, context),
  ),
});

const stepsOfBinding = (binding: Binding, stage: string, context: StageContext): readonly PlanStep[] =>
  binding.action.type === 'item'
    ? itemSteps(binding, binding.action, stage, context)
    : hookSteps(binding, stage, context);

const additionTitles = { addition: 'packages and files', addons: 'manifests' } as const;

/** What eggo's `addition` installs without a schedule: packages and files before all hooks, manifests after the installation. */
export const additionStage = (stage: keyof typeof additionTitles, context: StageContext): PlanStage => ({
  id: stage,
  title: additionTitles[stage],
  steps: context.bindings
    .filter((each) => each.stage === stage && each.operations.includes(context.operation))
    .flatMap((binding) => stepsOfBinding(binding, stage, context)),
});

/** Files are sent before any hook, and checked again in every operation that has hooks. */
export const filesStage = (context: StageContext): PlanStage => ({
  id: 'files',
  title: 'files',
  steps: filesSteps(context),
});

function filesSteps(context: StageContext): readonly FilesStep[] {
  const { operation, deliveries, concerned, cluster } = context;
  const always = operation === 'cluster.create' || operation === 'node.join';
  const needed = always || context.bindings.some(({ operations }) => operations.includes(operation));
  if (deliveries.length === 0 || concerned.length === 0 || !needed) return [];
  return [
    {
      kind: 'files',
      id: 'files/copy',
      title: 'files',
      condition: 'EnsureCopyFiles',
      files: deliveries,
      policy: cluster.format === 'tkestack' ? tkestackPolicy(undefined) : repeatable('abort'),
      targets: concerned.map(({ name }) => ({
        node: name,
        env: [],
        fingerprint: context.facts.sha256(JSON.stringify(deliveries)),
      })),
      ...(context.filesOrigin !== undefined && { origin: context.filesOrigin }),
    },
  ];
}

/** The scripts of hooks go last, when nothing needs them any more. */
export function removeStage({ deliveries, bindings, concerned }: StageContext): PlanStage {
  const scripts = new Set(
    bindings.flatMap(({ action }) => (action.type === 'delivered' ? [cleanPath(action.path)] : [])),
  );
  const paths = deliveries.map(({ dst }) => dst).filter((dst) => scripts.has(dst));
  const step: RemoveStep = {
    kind: 'remove',
    id: 'remove/scripts',
    title: 'remove scripts',
    paths,
    policy: repeatable('ignore'),
    targets: concerned.map(({ name }) => ({ node: name, env: [], fingerprint: paths.join('\n') })),
  };
  return { id: 'remove', title: 'remove scripts', steps: paths.length === 0 ? [] : [step] };
}

export const install = (context: StageContext, prefix = 'install/'): readonly PlanStage[] =>
  installerStages(context)
    .filter(({ beforePre = false, afterPost = false }) => !beforePre && !afterPost)
    .map((stage) => installStage(stage, prefix, context));

/** What an installer does before everything else, or after the hooks. */
export const installAt = (when: 'beforePre' | 'afterPost', context: StageContext): readonly PlanStage[] =>
  installerStages(context)
    .filter((stage) => stage[when] === true)
    .map((stage) => installStage(stage, 'install/', context));

/** Everything that happens to one joining node, in its own time; what must be ready before that comes first. */
export function joinStages(context: StageContext): readonly PlanStage[] {
  const stages = installerStages(context);
  const main = stages.at(-1);
  const before = stages.slice(0, -1).map((stage) => installStage(stage, 'install/', context));
  return [
    ...before,
    {
      id: 'join',
      title: 'join',
      steps: [
        ...filesSteps(context),
        ...additionStage('addition', context).steps,
        ...hooks('node', 'pre', context).steps,
        ...(main === undefined ? [] : installSteps(main, 'install/', context)),
        ...hooks('node', 'post', context).steps,
      ],
    },
  ];
}

/** One node after the other; the pre hook before it is drained, the post hook before it gets work again. */
export const upgradeStages = (context: StageContext, nodes: readonly ClusterNode[]): readonly PlanStage[] =>
  nodes.flatMap((node) => {
    const own: StageContext = { ...context, operation: 'node.upgrade', concerned: [node] };
    const prefix = `${node.name}/`;
    const stages = installerStages(own);
    const staged = (late: boolean): readonly PlanStage[] =>
      stages
        .filter(({ afterPost = false }) => afterPost === late)
        .map((stage) => installStage(stage, prefix, own));
    return [
      hooks('node', 'pre', own, prefix),
      ...staged(false),
      hooks('node', 'post', own, prefix),
      ...staged(true),
    ];
  });

const installerStages = (context: StageContext): ReturnType<Installer['stages']> => {
  const { operation, cluster, concerned, facts, undo } = context;
  if (operation === 'bootstrap') return [];
  const nodes = undo === undefined ? concerned : concerned.filter(({ name }) => undo.made.includes(name));
  const undoes = undo === undefined ? {} : { undoes: undo.operation };
  const request: InstallRequest = { operation, cluster, nodes, facts, ...undoes };
  return context.installer.stages(request);
};
