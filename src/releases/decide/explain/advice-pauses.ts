import type { BlockerReason } from '#releases/model/blocker.ts';
import { editWorkload, goBack, type Advice } from './advice-model.ts';
import type { Remedy } from './explanation.ts';
import { hookCommand, releaseCommand, type ExplainContext } from './explain-context.ts';
import { stepRunName } from './run-evidence.ts';
import { currentStep, followingStep } from './step-words.ts';

/** Reasons for which a release is paused, and its end by an abort. */
export const pauseAdvice = {
  PausedByCanaryPauseStep: {
    ends: (context) =>
      isTimed(context)
        ? `The pause ends by itself. Then comes ${followingStep(context)}.`
        : `The pause does not end by itself. After a promotion comes ${followingStep(context)}.`,
    remedies: (context) => [
      promote(context, `End the pause now and go on with ${followingStep(context)}`),
      ...promoteFully(context),
      goBack(context),
    ],
  },
  PausedByStepBasedHook: {
    ends: () => 'The pause does not end by itself, and the hook does not run again by itself.',
    remedies: (context) => [
      ...lookAtRun(context),
      { what: 'Run the hook again', command: releaseCommand(context, 'retry') },
      promote(context, `Ignore the verdict and go on with ${followingStep(context)}`),
      goBack(context),
    ],
  },
  PausedByUser: {
    ends: () => 'The pause does not end by itself.',
    remedies: (context) => [
      { what: 'End the pause', command: releaseCommand(context, 'resume') },
      goBack(context),
    ],
  },
  UnknownStep: {
    ends: () => 'The release goes on when the step is changed, or when a newer controller runs.',
    remedies: (context) => [
      editWorkload(context, 'Give the step exactly one of partition, pause and hook'),
      { what: 'Update the controller and the CustomResourceDefinitions of Boathook' },
      goBack(context),
    ],
  },
  Aborted: {
    ends: ({ stableRevision }) =>
      `The pods stay at the stable revision ${stableRevision ?? ''}. Nothing starts by itself.`,
    remedies: (context) => [
      ...lookAtRun(context),
      { what: 'Start the release again at step 1', command: releaseCommand(context, 'retry') },
      {
        what: 'Release another image: CONTAINER and IMAGE are yours to fill in',
        command: releaseCommand(context, 'set image', ' CONTAINER=IMAGE'),
      },
      goBack(context),
    ],
  },
} as const satisfies Partial<Record<BlockerReason, Advice>>;

const isTimed = (context: ExplainContext): boolean => {
  const step = currentStep(context);
  return step?.type === 'pause' && step.duration !== undefined;
};

const promote = (context: ExplainContext, what: string): Remedy => ({
  what,
  command: releaseCommand(context, 'promote'),
});

/** Only where pauses are left after the current step. */
function promoteFully(context: ExplainContext): readonly Remedy[] {
  const { steps, stepIndex } = context;
  const rest = steps.slice((stepIndex ?? steps.length) + 1);
  if (!rest.some(({ type }) => type === 'pause')) return [];
  const hooks = rest.some(({ type }) => type === 'hook') ? '; hooks still have to pass' : '';
  const what = `Go on to the end without the pauses that follow${hooks}`;
  return [{ what, command: releaseCommand(context, 'promote', ' --full') }];
}

function lookAtRun(context: ExplainContext): readonly Remedy[] {
  const name = stepRunName(context);
  return name === undefined
    ? []
    : [{ what: 'Look at all calls of the hook', command: hookCommand(context, `get ${name}`) }];
}
