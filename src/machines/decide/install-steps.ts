import { installVariables, piece, type HookVariable } from './environment.ts';
import type { HookStepContext } from './hook-steps.ts';
import type { InstallStage, InstallStep } from './installer.ts';
import { isRemoval, type ClusterNode, type Policy } from './model.ts';
import { localNode, type JobStep, type PlanStage, type PlanStep, type TaskTarget } from './plan.ts';
import { eggoPolicy, installTimeout, tkestackPolicy } from './presets.ts';

export type InstallContext = HookStepContext & { readonly force: boolean };

export const installStage = (stage: InstallStage, prefix: string, context: InstallContext): PlanStage => ({
  id: `${prefix}${stage.name}`,
  title: stage.name,
  steps: installSteps(stage, prefix, context),
});

export const installSteps = (
  stage: InstallStage,
  prefix: string,
  context: InstallContext,
): readonly PlanStep[] =>
  stage.steps
    .filter((step) => step.type === 'local' || step.nodes.length > 0)
    .map((step) => stepOf(step, `${prefix}${stage.name}/${step.name}`, context));

function stepOf(step: InstallStep, id: string, context: InstallContext): PlanStep {
  const policy = installPolicy(context);
  // The title of `join-worker/node-3` is its first part: the display shows the node beside it.
  const base = { id, title: step.name.split('/')[0] ?? step.name, policy, condition: step.condition };
  if (step.type === 'fetch')
    return {
      ...base,
      kind: 'fetch',
      path: step.path,
      artifact: step.artifact,
      targets: step.nodes.map(({ name }) => ({ node: name, env: [], fingerprint: step.path })),
    };
  const digest =
    step.program.type === 'text' ? context.facts.sha256(step.program.text) : digestOf(step, context);
  const nodes: readonly (ClusterNode | undefined)[] = step.type === 'local' ? [undefined] : step.nodes;
  return {
    ...base,
    ...(step.type === 'job' && ownFields(step)),
    kind: 'install',
    policy: step.parallel === undefined ? policy : { ...policy, parallel: step.parallel },
    program: step.program,
    digest,
    argv: step.argv,
    envNames: variablesFor(step, nodes[0], context).map(({ name }) => name),
    attachments: step.attachments,
    targets: nodes.map((node) => targetOf(step, node, { context, digest })),
  };
}

/** Fields that are the same in an installer's step and in the plan. */
function ownFields({
  about,
  makes,
  unchanged,
}: Extract<InstallStep, { type: 'job' }>): Pick<JobStep, 'about' | 'makes' | 'unchanged'> {
  return {
    ...(about !== undefined && { about }),
    ...(makes === true && { makes }),
    ...(unchanged !== undefined && { unchanged }),
  };
}

type Job = Exclude<InstallStep, { type: 'fetch' }>;

const digestOf = (step: Job, { facts }: InstallContext): string => {
  if (step.program.type === 'source') return step.program.digest;
  return facts.sha256(JSON.stringify(step.program));
};

const variablesFor = (
  step: Job,
  node: ClusterNode | undefined,
  context: InstallContext,
): readonly HookVariable[] => [
  ...installVariables(node, context),
  ...(step.type === 'job' ? (step.variables ?? []) : []),
];

function targetOf(
  step: Job,
  node: ClusterNode | undefined,
  { context, digest }: { readonly context: InstallContext; readonly digest: string },
): TaskTarget {
  const { argv, attachments } = step;
  const variables = variablesFor(step, node, context);
  return {
    node: node?.name ?? localNode,
    env: variables.map(piece),
    fingerprint: context.facts.sha256(JSON.stringify([digest, argv, variables, attachments])),
  };
}

/** The commands of a step may be repeated; the format decides what a failure means. */
function installPolicy({ cluster, operation, force }: InstallContext): Policy {
  if (cluster.format === 'tkestack') return tkestackPolicy(installTimeout, force && isRemoval(operation));
  return { ...eggoPolicy(operation, installTimeout), onUnknown: 'rerun' };
}
