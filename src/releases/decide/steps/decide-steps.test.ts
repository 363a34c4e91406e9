import { expect, test } from 'vitest';
import type { CanaryStepSpec } from '#releases/kinds/canary.ts';
import { readStep } from '#releases/model/read.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import { stepHashOf, walkedSteps } from './step-hash.ts';
import type { StepsBefore, StepsDecision, StepsGiven } from './steps-model.ts';
import { decideSteps } from './decide-steps.ts';

const read = (...specs: readonly CanaryStepSpec[]): readonly CanaryStep[] => specs.map(readStep);

const steps = read(
  { partition: 3 },
  { pause: {} },
  { partition: 2 },
  { pause: { duration: 60 } },
  { hook: { templateName: 'test' } },
);
const start = instant(1_604_998_865_000);
const at = (span: number): Instant => later(start, seconds(span));

const before: StepsBefore = {
  updateRevision: 'new',
  stepIndex: 0,
  stepHash: stepHashOf(steps),
  walked: walkedSteps(steps, 0),
  releaseId: 'z0000000',
  stableRevision: 'old',
  abortedRevision: undefined,
  abortedBecause: undefined,
  pauses: [],
  promotion: undefined,
  retries: 0,
  ignoredResumes: 0,
  isResumeIgnored: false,
};
const given: StepsGiven = {
  before,
  steps,
  replicas: 4,
  paused: false,
  updateRevision: 'new',
  podsRevision: 'old',
  updatedReady: 0,
  updatedUnready: 0,
  isHeldByUnready: true,
  run: { type: 'none' },
  needsApproval: false,
  act: undefined,
  isActMeant: false,
  now: start,
};
const byStep = [{ reason: 'PausedByCanaryPauseStep', startTime: '2020-11-10T09:01:05Z' }];
const byHook = [{ reason: 'PausedByStepBasedHook', startTime: '2020-11-10T09:01:05Z' }];
const byUser = [{ reason: 'PausedByUser', startTime: '2020-11-10T09:01:05Z' }];
const bad = { type: 'bad', name: 'new-4-test', phase: 'Failed', message: 'webtest failed' } as const;

type Row = {
  readonly name: string;
  readonly given?: Partial<StepsGiven>;
  readonly before?: Partial<StepsBefore>;
  readonly expect: Partial<StepsDecision> & { readonly reason?: string };
};

const rows: readonly Row[] = [
  {
    name: 'the first template of all needs no steps',
    given: { podsRevision: undefined },
    before: {
      updateRevision: undefined,
      stepIndex: undefined,
      stepHash: undefined,
      stableRevision: undefined,
    },
    expect: { isReset: false, stepIndex: 5, stableRevision: 'new', paused: false, movedTo: undefined },
  },
  {
    name: 'a new template begins at the first step',
    before: { updateRevision: 'old', stepIndex: 5 },
    expect: { isReset: true, stepIndex: 0, stableRevision: 'old', movedTo: 0 },
  },
  {
    name: 'steps added together with a new template are walked',
    before: { updateRevision: 'old', stepIndex: undefined, stepHash: undefined, stableRevision: undefined },
    expect: { isReset: true, stepIndex: 0, stableRevision: 'old' },
  },
  {
    name: 'steps added while all pods are of one revision are done',
    given: { podsRevision: 'new' },
    before: { stepIndex: undefined, stepHash: undefined, stableRevision: undefined },
    expect: { stepIndex: 5, stableRevision: 'new' },
  },
  {
    name: 'back to the stable template skips all steps and its pause',
    given: { updateRevision: 'old', paused: true },
    before: { stepIndex: 4, pauses: byHook },
    expect: { isReset: true, stepIndex: 5, stableRevision: 'old', pauses: [], paused: false },
  },
  {
    name: 'a first step that was edited is walked again, and old runs decide nothing',
    before: {
      stepIndex: 3,
      stepHash: 'other',
      walked: walkedSteps([...read({ partition: 1 }), ...steps.slice(1)], 3),
    },
    expect: { isReset: true, stepIndex: 0, stableRevision: 'old', releaseId: 'z0000001' },
  },
  {
    name: 'a later step that was edited leaves the current pause as it is',
    given: { updatedReady: 1, paused: true },
    before: { stepIndex: 1, stepHash: 'other', walked: walkedSteps(steps, 1), pauses: byStep },
    expect: {
      isReset: false,
      stepIndex: 1,
      pauses: byStep,
      paused: true,
      releaseId: 'z0000000',
      stepHash: stepHashOf(steps),
      reason: 'PausedByCanaryPauseStep',
    },
  },
  {
    name: 'a later step that was edited leaves a failed hook as it is',
    given: { run: bad, paused: true },
    before: { stepIndex: 4, stepHash: 'other', walked: walkedSteps(steps, 4), pauses: byHook },
    expect: {
      isReset: false,
      stepIndex: 4,
      pauses: byHook,
      releaseId: 'z0000000',
      reason: 'PausedByStepBasedHook',
    },
  },
  {
    name: 'the current step that was edited begins again, and the ones before it do not',
    before: {
      stepIndex: 4,
      stepHash: 'other',
      walked: walkedSteps([...steps.slice(0, 4), ...read({ hook: { templateName: 'other' } })], 4),
      pauses: byHook,
    },
    expect: { isReset: true, stepIndex: 4, pauses: [], paused: false, releaseId: 'z0000001' },
  },
  {
    name: 'a step that is put between walked steps is the next one',
    before: {
      stepIndex: 3,
      stepHash: 'other',
      walked: walkedSteps([...steps.slice(0, 1), ...steps.slice(2)], 3),
    },
    expect: { isReset: true, stepIndex: 1 },
  },
  {
    name: 'steps that are cut off behind the walked ones end the release',
    given: { steps: steps.slice(0, 2) },
    before: { stepIndex: 3, walked: walkedSteps(steps, 3) },
    expect: { isReset: true, stepIndex: 2, movedTo: 2 },
  },
  {
    name: 'edited steps begin again where an earlier version recorded nothing',
    before: { stepIndex: 3, stepHash: 'other', walked: undefined },
    expect: { isReset: true, stepIndex: 0, stableRevision: 'old' },
  },
  {
    name: 'a release that the original operators began continues at its step, with its pause',
    given: { paused: true },
    before: { stepIndex: 1, stepHash: 'theirs', walked: undefined, releaseId: undefined, pauses: byStep },
    expect: {
      isReset: false,
      stepIndex: 1,
      movedTo: undefined,
      pauses: byStep,
      paused: true,
      stableRevision: 'old',
    },
  },
  {
    name: 'a pause that a user ended before the release was taken over stays ended',
    before: { stepIndex: 1, stepHash: 'theirs', walked: undefined, releaseId: undefined, pauses: byStep },
    expect: { isReset: false, stepIndex: 1, pauses: byStep, paused: false },
  },
  {
    name: 'a release of the original operators whose template changed meanwhile starts at the first step',
    given: { updateRevision: 'newer' },
    before: { stepIndex: 1, stepHash: 'theirs', walked: undefined, releaseId: undefined },
    expect: { isReset: true, stepIndex: 0, stableRevision: 'old' },
  },
  {
    name: 'steps edited after the release are done',
    before: { stepIndex: 5, stepHash: 'other', stableRevision: 'new' },
    expect: { stepIndex: 5, stableRevision: 'new' },
  },
  {
    name: 'a step of an unknown type stops the release',
    given: {
      steps: read({ weight: 10 } as CanaryStepSpec),
    },
    before: { stepHash: stepHashOf(read({ weight: 10 } as CanaryStepSpec)) },
    expect: { stepIndex: 0, movedTo: undefined, reason: 'UnknownStep' },
  },
  {
    name: 'a step that has lost its only field stops the release',
    given: { steps: read({}), updatedReady: 4 },
    before: { stepHash: stepHashOf(read({})) },
    expect: { stepIndex: 0, movedTo: undefined, reason: 'UnknownStep' },
  },
  {
    name: 'a step with a field that is not known beside one that is stops the release',
    given: { steps: read({ partition: 0, weight: 10 } as CanaryStepSpec), updatedReady: 4 },
    before: { stepHash: stepHashOf(read({ partition: 0, weight: 10 } as CanaryStepSpec)) },
    expect: { stepIndex: 0, movedTo: undefined, reason: 'UnknownStep' },
  },
  {
    name: 'a partition step does not end while updated pods are not ready',
    given: { updatedReady: 1, updatedUnready: 1 },
    expect: { stepIndex: 0, paused: false, reason: 'CanaryPodsNotReady' },
  },
  {
    name: 'a timed pause whose time is over does not end while updated pods are not ready',
    given: { updatedReady: 1, updatedUnready: 1, paused: true, now: at(60) },
    before: { stepIndex: 3, pauses: byStep },
    expect: { stepIndex: 3, paused: true, pauses: byStep, movedTo: undefined, reason: 'CanaryPodsNotReady' },
  },
  {
    name: 'a timed pause counts on while updated pods are not ready',
    given: { updatedReady: 1, updatedUnready: 1, paused: true, now: at(59) },
    before: { stepIndex: 3, pauses: byStep },
    expect: { stepIndex: 3, pauses: byStep, wakeAt: at(60), reason: 'PausedByCanaryPauseStep' },
  },
  {
    name: 'a timed pause whose time is over ends with the pods that are ready again',
    given: { updatedReady: 2, paused: true, now: at(90) },
    before: { stepIndex: 3, pauses: byStep },
    expect: { stepIndex: 4, paused: false, pauses: [], resumedUnready: 0 },
  },
  {
    name: 'a person goes past pods that are not ready after a timed pause',
    given: { updatedReady: 1, updatedUnready: 1, now: at(60) },
    before: { stepIndex: 3, pauses: byStep },
    expect: { stepIndex: 4, paused: false, pauses: [], resumedUnready: 1 },
  },
  {
    name: 'a person goes past pods that are not ready after a pause without an end',
    given: { updatedUnready: 1 },
    before: { stepIndex: 1, pauses: byStep },
    expect: { stepIndex: 2, paused: false, pauses: [], resumedUnready: 1 },
  },
  {
    name: 'a good verdict does not end a step while updated pods are not ready',
    given: { run: { type: 'good' }, updatedUnready: 2 },
    before: { stepIndex: 4 },
    expect: { stepIndex: 4, movedTo: undefined, stableRevision: 'old', reason: 'CanaryPodsNotReady' },
  },
  {
    name: 'a good verdict ends a step of a release that is not to be held by pods that are not ready',
    given: { run: { type: 'good' }, updatedUnready: 2, isHeldByUnready: false },
    before: { stepIndex: 4 },
    expect: { stepIndex: 5, stableRevision: 'new', resumedUnready: 0 },
  },
  {
    name: 'steps that are taken away leave nothing behind',
    given: { steps: undefined },
    before: { stepIndex: 3 },
    expect: { stepIndex: undefined, stepHash: undefined, stableRevision: undefined },
  },
  {
    name: 'a template that comes with a pause of a person stays paused',
    given: { paused: true },
    before: { updateRevision: 'old', stepIndex: 5 },
    expect: { stepIndex: 0, paused: true, pauses: byUser },
  },
  { name: 'pods are waited for', expect: { stepIndex: 0, reason: 'WaitingForPods', paused: false } },
  { name: 'a target that is reached', given: { updatedReady: 1 }, expect: { stepIndex: 1, movedTo: 1 } },
  { name: 'a target that was passed', given: { updatedReady: 3 }, expect: { stepIndex: 1 } },
  { name: 'a target below nothing', given: { replicas: 2 }, expect: { stepIndex: 1 } },
  {
    name: 'a pause without an end begins',
    given: { updatedReady: 1 },
    before: { stepIndex: 1 },
    expect: {
      stepIndex: 1,
      paused: true,
      pauses: byStep,
      wakeAt: undefined,
      reason: 'PausedByCanaryPauseStep',
    },
  },
  {
    name: 'it begins again after a crash between the writes',
    given: { updatedReady: 1, paused: true },
    before: { stepIndex: 1 },
    expect: { paused: true, pauses: byStep },
  },
  {
    name: 'it lasts while paused stands',
    given: { updatedReady: 1, paused: true, now: at(9999) },
    before: { stepIndex: 1, pauses: byStep },
    expect: { stepIndex: 1, paused: true, pauses: byStep },
  },
  {
    name: 'it lasts when pods fall ill meanwhile',
    given: { updatedReady: 0, paused: true },
    before: { stepIndex: 1, pauses: byStep },
    expect: { stepIndex: 1, paused: true, pauses: byStep },
  },
  {
    name: 'a person ends it',
    given: { updatedReady: 1 },
    before: { stepIndex: 1, pauses: byStep },
    expect: { stepIndex: 2, paused: false, pauses: [] },
  },
  {
    name: 'a timed pause begins',
    given: { updatedReady: 2 },
    before: { stepIndex: 3 },
    expect: { stepIndex: 3, paused: true, pauses: byStep, wakeAt: at(60) },
  },
  {
    name: 'no person shortens it',
    given: { updatedReady: 2, now: at(30) },
    before: { stepIndex: 3, pauses: byStep },
    expect: { stepIndex: 3, paused: true, pauses: byStep, wakeAt: at(60) },
  },
  {
    name: 'its time ends it',
    given: { updatedReady: 2, paused: true, now: at(60) },
    before: { stepIndex: 3, pauses: byStep },
    expect: { stepIndex: 4, paused: false, pauses: [] },
  },
  { name: 'a hook is about to be asked', before: { stepIndex: 4 }, expect: { reason: 'WaitingForHook' } },
  {
    name: 'a good verdict ends the last step, and the revision is stable',
    given: { run: { type: 'good' } },
    before: { stepIndex: 4 },
    expect: { stepIndex: 5, stableRevision: 'new', paused: false },
  },
  {
    name: 'a bad verdict pauses',
    given: { run: bad },
    before: { stepIndex: 4 },
    expect: { stepIndex: 4, paused: true, pauses: byHook, reason: 'PausedByStepBasedHook' },
  },
  {
    name: 'a user lets the release continue after a bad verdict',
    given: { run: bad },
    before: { stepIndex: 4, pauses: byHook },
    expect: { stepIndex: 5, paused: false, pauses: [], stableRevision: 'new' },
  },
  {
    name: 'a bad verdict takes back where that was asked for',
    given: { run: bad, steps: read({ hook: { templateName: 'test', onFailure: 'Abort' } }) },
    before: {
      stepIndex: 0,
      stepHash: stepHashOf(read({ hook: { templateName: 'test', onFailure: 'Abort' } })),
    },
    expect: { stepIndex: 0, abortedRevision: 'new', paused: false, reason: 'Aborted' },
  },
  {
    name: 'what was taken back stays so',
    before: { stepIndex: 4, abortedRevision: 'new' },
    expect: { stepIndex: 4, abortedRevision: 'new', reason: 'Aborted' },
  },
  {
    name: 'a new template forgets that',
    given: { updateRevision: 'third' },
    before: { stepIndex: 4, abortedRevision: 'new' },
    expect: { stepIndex: 0, abortedRevision: undefined },
  },
  {
    name: 'a hook that cannot be asked holds',
    given: { run: { type: 'impossible', blocker: { reason: 'HookTemplateMissing', message: 'no' } } },
    before: { stepIndex: 4 },
    expect: { stepIndex: 4, paused: false, reason: 'HookTemplateMissing' },
  },
  {
    name: 'a person pauses in the middle of a step',
    given: { updatedReady: 1, paused: true },
    expect: { stepIndex: 0, paused: true, pauses: byUser, reason: 'PausedByUser' },
  },
  {
    name: 'and goes on',
    given: { updatedReady: 1 },
    before: { pauses: byUser },
    expect: { stepIndex: 1, paused: false, pauses: [] },
  },
  {
    name: 'a person pauses where there are no steps',
    given: { steps: undefined, paused: true, now: at(5) },
    before: { stepIndex: undefined, stepHash: undefined, stableRevision: undefined, pauses: byUser },
    expect: { paused: true, pauses: byUser, reason: 'PausedByUser' },
  },
  {
    name: 'after the last step a person may pause as well',
    given: { paused: true },
    before: { stepIndex: 5 },
    expect: { stepIndex: 5, paused: true, pauses: byUser, stableRevision: 'new' },
  },
];

test.for(rows)('$name', (row) => {
  const { blocker, ...decision } = decideSteps({
    ...given,
    ...row.given,
    before: { ...before, ...row.before },
  });
  expect({ ...decision, reason: blocker?.reason }).toMatchObject(row.expect);
});

test('a pause is never shorter than it should be', () => {
  const late = { ...given, updatedReady: 2, now: instant(start + 1), before: { ...before, stepIndex: 3 } };
  expect(decideSteps(late).wakeAt).toBe(start + 61_000);
});
