import { scaledValue } from '#kube/workload/int-or-percent.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { stepPath, type LintSubject } from './lint-subject.ts';
import { asWarning, type ReleaseFinding } from './release-finding.ts';

/** Mistakes in the order and in the numbers of steps. */
export function stepRules(subject: LintSubject): readonly ReleaseFinding[] {
  const { steps } = subject;
  return [
    ...emptySteps(subject),
    ...steps.flatMap((step, index) => stepFindings(subject, step, index)),
    ...lastPartition(subject),
  ];
}

function emptySteps({ spec, steps }: LintSubject): readonly ReleaseFinding[] {
  if (spec.updateStrategy?.canary === undefined || steps.length > 0) return [];
  const path = 'spec.updateStrategy.canary.steps';
  const message = 'is empty: a release updates all pods at once';
  return [asWarning({ rule: 'no-steps', path, message, remedy: 'add steps, or remove canary' })];
}

function stepFindings(subject: LintSubject, step: CanaryStep, index: number): readonly ReleaseFinding[] {
  switch (step.type) {
    case 'partition':
      return partitionFindings(subject, step.partition, index);
    case 'pause':
      return [...zeroPause(step, index), ...uselessAfterAll(subject, step, index)];
    case 'hook':
      return [...earlyHook(subject, index), ...uselessAfterAll(subject, step, index)];
    case 'unknown':
      // The schema refuses it.
      return [];
  }
}

function partitionFindings(
  subject: LintSubject,
  partition: number | string,
  index: number,
): readonly ReleaseFinding[] {
  const path = `${stepPath(index)}.partition`;
  const { replicas } = subject;
  const before = partitionBefore(subject, index);
  if (before !== undefined) {
    const order = compared(partition, before.partition, replicas);
    if (order === undefined) return [];
    const since = `of step ${before.index + 1} (${before.partition})`;
    if (order > 0) {
      const message = `${partition} is more than the partition ${since}: the step changes nothing, since updated pods stay updated`;
      return [
        asWarning({
          rule: 'partition-rises',
          path,
          message,
          remedy: 'let partitions fall from step to step',
        }),
      ];
    }
    if (order === 0) {
      const message = `${partition} leaves as many pods as the partition ${since}: the step updates no pod`;
      return [
        asWarning({
          rule: 'partition-same',
          path,
          message,
          remedy: 'use a smaller partition, or remove the step',
        }),
      ];
    }
    return [];
  }
  if (replicas === undefined || replicas === 0 || scaledValue(partition, replicas, 'up') < replicas)
    return [];
  const message = `${partition} leaves all ${replicas} replicas on the old revision: the step updates no pod`;
  return [asWarning({ rule: 'partition-all', path, message, remedy: `use at most ${replicas - 1}` })];
}

function partitionBefore(
  { steps }: LintSubject,
  index: number,
): { readonly partition: number | string; readonly index: number } | undefined {
  const at = steps.findLastIndex((step, i) => i < index && step.type === 'partition');
  const step = steps[at];
  return step?.type === 'partition' ? { partition: step.partition, index: at } : undefined;
}

/** Above 0 when the first leaves more pods. Undefined: that depends on replicas, which the manifest does not have. */
function compared(
  left: number | string,
  right: number | string,
  replicas: number | undefined,
): number | undefined {
  if (replicas !== undefined && replicas > 0) {
    const kept = (each: number | string): number => Math.min(replicas, scaledValue(each, replicas, 'up'));
    return kept(left) - kept(right);
  }
  if (typeof left === typeof right) return scaledValue(left, 100, 'up') - scaledValue(right, 100, 'up');
  return undefined;
}

const zeroPause = (
  step: Extract<CanaryStep, { readonly type: 'pause' }>,
  index: number,
): readonly ReleaseFinding[] =>
  step.duration === 0
    ? [
        asWarning({
          rule: 'pause-zero',
          path: `${stepPath(index)}.pause.duration`,
          message: 'is 0: the pause ends at once',
          remedy: 'write pause: {} to wait for a user, or remove the step',
        }),
      ]
    : [];

function earlyHook(subject: LintSubject, index: number): readonly ReleaseFinding[] {
  const { steps, replicas } = subject;
  const isUpdating = steps
    .slice(0, index)
    .some((step) => step.type === 'partition' && !leavesAll(step.partition, replicas));
  if (isUpdating) return [];
  const message = 'runs before any pod is updated: it checks only the old revision';
  const remedy = 'put a partition before it';
  return [asWarning({ rule: 'hook-before-update', path: `${stepPath(index)}.hook`, message, remedy })];
}

const leavesAll = (partition: number | string, replicas: number | undefined): boolean =>
  partition === '100%' || (replicas !== undefined && scaledValue(partition, replicas, 'up') >= replicas);

/** When all pods are updated, a pause protects none. A hook does only if its failure takes the release back. */
function uselessAfterAll({ steps }: LintSubject, step: CanaryStep, index: number): readonly ReleaseFinding[] {
  const all = steps.findIndex(
    (each, i) => i < index && each.type === 'partition' && scaledValue(each.partition, 100, 'up') === 0,
  );
  if (all === -1 || (step.type === 'hook' && step.hook.onFailure === 'Abort')) return [];
  const message = `comes after all pods are updated (step ${all + 1}): it holds no pod back`;
  const remedy =
    step.type === 'hook'
      ? 'put it before that step, or set onFailure: Abort to return to the stable revision'
      : 'put it before that step';
  const path = `${stepPath(index)}.${step.type === 'hook' ? 'hook' : 'pause'}`;
  return [asWarning({ rule: 'step-after-all', path, message, remedy })];
}

/** After the last step all pods are updated, so a last partition holds only until its pods are ready. */
function lastPartition({ steps }: LintSubject): readonly ReleaseFinding[] {
  const last = steps.at(-1);
  const isUpdated = steps.some(
    (step) => step.type === 'partition' && scaledValue(step.partition, 100, 'up') === 0,
  );
  if (last?.type !== 'partition' || isUpdated) return [];
  const message = `${last.partition} is the last step: when its pods are ready, all other pods are updated at once`;
  const remedy = 'add pause: {} after it to stop there, or a partition of 0 to show the end';
  return [
    asWarning({ rule: 'last-partition', path: `${stepPath(steps.length - 1)}.partition`, message, remedy }),
  ];
}
