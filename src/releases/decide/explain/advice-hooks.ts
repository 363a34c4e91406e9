import type { BlockerReason } from '#releases/model/blocker.ts';
import { hookOf } from '#releases/decide/steps/step-types.ts';
import { editWorkload, goBack, type Advice } from './advice-model.ts';
import type { Remedy } from './explanation.ts';
import { hookCommand, kubectl, namespaceIn, releaseCommand, type ExplainContext } from './explain-context.ts';
import { stepRunName } from './run-evidence.ts';
import { currentStep, followingStep } from './step-words.ts';

/** Hooks that have no verdict yet, or that cannot run. */
export const hookAdvice = {
  WaitingForHook: {
    ends: (context) =>
      `The step ends when the hook passes. Then comes ${followingStep(context)}.${onFailure(context)}`,
    remedies: (context) => [...runRemedies(context), ...skipHook(context), goBack(context)],
  },
  NoHookController: {
    ends: () => 'The release goes on when a controller executes the HookRun.',
    remedies: (context) => [
      {
        what: 'See whether the controller runs, and its log',
        command: 'kubectl get pods,leases --namespace=boathook-system',
      },
      { what: 'Start a controller for HookRuns', command: 'boathook controller --controllers hookrun' },
      ...skipHook(context),
      goBack(context),
    ],
  },
  HookTemplateMissing: {
    ends: () => 'The release goes on by itself when the HookTemplate exists.',
    remedies: (context) => [
      {
        what: `See which HookTemplates namespace ${namespaceIn(context)} has, and create the missing one`,
        command: kubectl(context, 'get hooktemplates'),
      },
      editWorkload(context, 'Or correct templateName'),
      ...skipHook(context),
      goBack(context),
    ],
  },
  HookTemplateInvalid: {
    ends: () => 'The release goes on by itself when the HookTemplate is corrected.',
    remedies: (context) => [
      {
        what: 'Correct the HookTemplate',
        command: kubectl(context, `edit hooktemplate${templateIn(context)}`),
      },
      { what: 'Check it before you apply it: FILE is its manifest', command: 'boathook hook lint -f FILE' },
      ...skipHook(context),
      goBack(context),
    ],
  },
  HookArgMissing: {
    ends: () => 'The release goes on by itself when the argument has a value.',
    remedies: (context) => [
      editWorkload(context, 'Give the argument a value in args of the hook'),
      {
        what: 'Or give it a value in the HookTemplate',
        command: kubectl(context, `edit hooktemplate${templateIn(context)}`),
      },
      ...skipHook(context),
      goBack(context),
    ],
  },
} as const satisfies Partial<Record<BlockerReason, Advice>>;

function onFailure(context: ExplainContext): string {
  const step = currentStep(context);
  if (step?.type !== 'hook') return '';
  return step.hook.onFailure === 'Abort'
    ? ' If it fails, the pods go back to the stable revision.'
    : ' If it fails, the release pauses.';
}

function runRemedies(context: ExplainContext): readonly Remedy[] {
  const name = stepRunName(context);
  if (name === undefined) return [];
  return [
    { what: 'Look at all calls of the hook', command: hookCommand(context, `get ${name}`) },
    { what: 'Stop the hook; what is undecided then passes', command: hookCommand(context, `stop ${name}`) },
    {
      what: 'Stop the hook with a bad verdict',
      command: hookCommand(context, `stop ${name} --verdict Failed`),
    },
  ];
}

/** Only where a step runs the hook: the hook of a pod is not skipped. */
function skipHook(context: ExplainContext): readonly Remedy[] {
  if (context.isAborted || currentStep(context)?.type !== 'hook') return [];
  const what = `Go on without the hook, with ${followingStep(context)}`;
  return [{ what, command: releaseCommand(context, 'promote', ' --skip-hook') }];
}

function templateIn(context: ExplainContext): string {
  const step = currentStep(context);
  const hook = step === undefined ? undefined : hookOf(step);
  return hook === undefined ? 's' : ` ${hook.templateName}`;
}
