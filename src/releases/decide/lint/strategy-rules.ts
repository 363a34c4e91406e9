import { at, textAt } from '#base/json.ts';
import { kindOf } from '#kube/object.ts';
import { isWritten, type LintSubject } from './lint-subject.ts';
import { asError, asWarning, type ReleaseFinding } from './release-finding.ts';

/** Mistakes in the update strategy and in hooks of pods. */
export const strategyRules = (subject: LintSubject): readonly ReleaseFinding[] => [
  ...pausedInManifest(subject),
  ...onDeleteWithSteps(subject),
  ...ignoredPartition(subject),
  ...noPodCanBeUpdated(subject),
  ...enforcedForever(subject),
  ...lateReady(subject),
];

/** `paused` is also a switch of the controller and of people: a file that sets it overrides them at each apply. */
function pausedInManifest(subject: LintSubject): readonly ReleaseFinding[] {
  const path = 'spec.updateStrategy.paused';
  if (!isWritten(subject, 'spec', 'updateStrategy', 'paused')) return [];
  const isPaused = at(subject.given, 'spec', 'updateStrategy', 'paused') === true;
  if (isPaused) {
    const message = 'is true: each apply of this manifest pauses the release';
    const remedy = 'leave the field out, and pause with boathook release pause';
    return [asWarning({ rule: 'paused-true', path, message, remedy })];
  }
  const { steps, spec } = subject;
  if (steps.length === 0 || spec.updateStrategy?.resumePolicy === 'Approval') return [];
  const message =
    'is false: each apply of this manifest resumes a paused step and goes past a failed hook, also when Git applies it';
  const remedy = 'leave the field out, and set resumePolicy: Approval';
  return [asWarning({ rule: 'paused-false', path, message, remedy })];
}

function onDeleteWithSteps({ spec, steps }: LintSubject): readonly ReleaseFinding[] {
  if (spec.updateStrategy?.type !== 'OnDelete' || steps.length === 0) return [];
  const message = 'is OnDelete with canary steps: each step waits until a user deletes pods';
  const remedy = 'choose another type, or document for users that they must delete the pods';
  return [asWarning({ rule: 'on-delete-steps', path: 'spec.updateStrategy.type', message, remedy })];
}

/** With steps the partition comes from them. */
function ignoredPartition(subject: LintSubject): readonly ReleaseFinding[] {
  if (subject.spec.updateStrategy?.canary === undefined) return [];
  const path = isStateful(subject)
    ? ['spec', 'updateStrategy', 'rollingUpdate', 'partition']
    : ['spec', 'updateStrategy', 'partition'];
  if (!isWritten(subject, ...path)) return [];
  const message = 'has no effect: with canary.steps the partition comes from the steps';
  const remedy = 'remove it, or make it a step';
  return [asWarning({ rule: 'partition-ignored', path: path.join('.'), message, remedy })];
}

const isStateful = ({ workload }: LintSubject): boolean => kindOf(workload) === 'GameStatefulSet';

/** What the schema cannot see: a surge counts only with podManagementPolicy Parallel. */
function noPodCanBeUpdated(subject: LintSubject): readonly ReleaseFinding[] {
  const { workload } = subject;
  const limit = at(workload, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable');
  const isOrdered = textAt(workload, 'spec', 'podManagementPolicy') !== 'Parallel';
  if (!isStateful(subject) || !isOrdered || !(limit === 0 || limit === '0%')) return [];
  const message =
    'is 0: no pod can ever be updated, since maxSurge counts only with podManagementPolicy Parallel';
  const remedy = 'set it to 1 or more, or podManagementPolicy to Parallel';
  const path = 'spec.updateStrategy.rollingUpdate.maxUnavailable';
  return [asError({ rule: 'no-update-possible', path, message, remedy })];
}

function enforcedForever({ spec }: LintSubject): readonly ReleaseFinding[] {
  const { preDeleteUpdateStrategy: strategy } = spec;
  if (strategy?.enforce !== 'Always' || strategy.hook === undefined || strategy.deadlineSeconds !== undefined)
    return [];
  const message =
    'is Always without deadlineSeconds: a hook that does not pass keeps every deletion of a pod waiting, also kubectl drain';
  const remedy = 'set deadlineSeconds, and onDeadline: Proceed where a pod may go without its hook';
  const path = 'spec.preDeleteUpdateStrategy.enforce';
  return [asWarning({ rule: 'enforce-without-deadline', path, message, remedy })];
}

function lateReady({ spec }: LintSubject): readonly ReleaseFinding[] {
  const { minReadySeconds = 0, progressDeadlineSeconds = 600 } = spec;
  if (minReadySeconds < progressDeadlineSeconds) return [];
  const message = `${minReadySeconds} is not less than progressDeadlineSeconds (${progressDeadlineSeconds}): each update is reported as Blocked`;
  const remedy = 'set progressDeadlineSeconds to more than minReadySeconds';
  return [asWarning({ rule: 'deadline-too-short', path: 'spec.minReadySeconds', message, remedy })];
}
