import { expect, test } from 'vitest';
import { resumedAnnotation } from '#releases/model/well-known.ts';
import { isStillPaused, resumeAnnotations } from './own-resume.ts';

const plain = { metadata: {} };
const resumed = { metadata: { annotations: { [resumedAnnotation]: 'true' } } };

test.for([
  ['a user ends a pause', plain, { paused: false, isPausedInStatus: true }, false],
  [
    'the controller ends a pause, and its status is lost',
    resumed,
    { paused: false, isPausedInStatus: true },
    true,
  ],
  ['the controller has ended a pause', resumed, { paused: false, isPausedInStatus: false }, false],
  ['a user begins a pause', resumed, { paused: true, isPausedInStatus: false }, true],
] as const)('%s', ([, workload, given, isPaused]) => {
  expect(isStillPaused(workload, given)).toBe(isPaused);
});

test.for([
  ['marks its own end of a pause', plain, { before: true, after: false }, { [resumedAnnotation]: 'true' }],
  [
    'removes the mark with the next pause',
    resumed,
    { before: false, after: true },
    { [resumedAnnotation]: null },
  ],
  [
    'removes the mark when a user pauses',
    resumed,
    { before: true, after: true },
    { [resumedAnnotation]: null },
  ],
  ['changes nothing while a release runs', resumed, { before: false, after: false }, undefined],
  ['changes nothing while a release is paused', plain, { before: true, after: true }, undefined],
] as const)('it %s', ([, workload, change, annotations]) => {
  expect(resumeAnnotations(workload, change)).toEqual(annotations);
});
