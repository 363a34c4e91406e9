import { expect, test } from 'vitest';
import type { Step } from '#api/game/canary.ts';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import { stepHashOf } from './step-hash.ts';
import { decideSteps, type StepsBefore, type StepsDecision, type StepsGiven } from './steps.ts';

const steps: readonly Step[] = [
  { partition: 3 },
  { pause: {} },
  { partition: 2 },
  { pause: { duration: 60 } },
  { hook: { templateName: 'test' } },
];
const start = instant(1_604_998_865_000);
const at = (span: number): Instant => later(start, seconds(span));

const before: StepsBefore = {
  updateRevision: 'new',
  stepIndex: 0,
  stepHash: stepHashOf(steps),
  stableRevision: 'old',
  abortedRevision: undefined,
  pauses: [],
};
const given: StepsGiven = {
  before,
  steps,
  replicas: 4,
  paused: false,
  updateRevision: 'new',
  podsRevision: 'old',
  updatedReady: 0,
  run: { type: 'none' },
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
    name: 'steps added together with a new template are walked (G15)',
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
    name: 'edited steps begin again',
    before: { stepIndex: 3, stepHash: 'other' },
    expect: { isReset: true, stepIndex: 0, stableRevision: 'old' },
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
  { name: 'a target that was passed (G4)', given: { updatedReady: 3 }, expect: { stepIndex: 1 } },
  { name: 'a target below nothing (G4)', given: { replicas: 2 }, expect: { stepIndex: 1 } },
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
    name: 'a person goes on after a bad verdict',
    given: { run: bad },
    before: { stepIndex: 4, pauses: byHook },
    expect: { stepIndex: 5, paused: false, pauses: [], stableRevision: 'new' },
  },
  {
    name: 'a bad verdict takes back where that was asked for',
    given: { run: bad, steps: [{ hook: { templateName: 'test', onFailure: 'Abort' } }] },
    before: {
      stepIndex: 0,
      stepHash: stepHashOf([{ hook: { templateName: 'test', onFailure: 'Abort' } }]),
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
    given: { run: { type: 'impossible', hold: { reason: 'HookTemplateMissing', message: 'no' } } },
    before: { stepIndex: 4 },
    expect: { stepIndex: 4, paused: false, reason: 'HookTemplateMissing' },
  },
  {
    name: 'a person pauses in the middle of a step (G1)',
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
  const { hold, ...decision } = decideSteps({ ...given, ...row.given, before: { ...before, ...row.before } });
  expect({ ...decision, reason: hold?.reason }).toMatchObject(row.expect);
});

test('a pause is never shorter than it should be', () => {
  const late = { ...given, updatedReady: 2, now: instant(start + 1), before: { ...before, stepIndex: 3 } };
  expect(decideSteps(late).wakeAt).toBe(start + 61_000);
});
