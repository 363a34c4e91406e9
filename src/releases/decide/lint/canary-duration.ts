import { formatDuration } from '#base/duration.ts';
import { millis, minutes, type Millis } from '#base/time.ts';
import { leastDuration } from '#hooks/decide/least-duration.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { LintSubject } from './lint-subject.ts';
import { asWarning, type ReleaseFinding } from './release-finding.ts';

/** From here on a release is reported as slow. */
const long = minutes(120);

/** The least time that the steps of a release take: timed pauses and hooks, without the update of pods. */
export function canaryDuration(subject: LintSubject): Millis {
  return millis(subject.steps.reduce((sum, step) => sum + stepDuration(subject, step), 0));
}

function stepDuration({ templates }: LintSubject, step: CanaryStep): number {
  switch (step.type) {
    case 'pause':
      return step.duration ?? 0;
    case 'hook': {
      const found = templates.find(step.hook.templateName);
      return found.type === 'template' ? (leastDuration(found.template) ?? 0) : 0;
    }
    case 'partition':
    case 'unknown':
      return 0;
  }
}

export function durationRule(subject: LintSubject): readonly ReleaseFinding[] {
  const whole = canaryDuration(subject);
  if (whole < long) return [];
  const pauses = millis(
    subject.steps.reduce((sum, each) => sum + (each.type === 'pause' ? (each.duration ?? 0) : 0), 0),
  );
  const hooks = millis(whole - pauses);
  const parts = [
    ...(pauses > 0 ? [`pauses ${formatDuration(pauses)}`] : []),
    ...(hooks > 0 ? [`hooks ${formatDuration(hooks)}`] : []),
  ];
  const message = `take at least ${formatDuration(whole)} (${parts.join(', ')}), and the time of the pods`;
  const remedy = 'a duration that is a number is in seconds; write 5m or 90s to be clear';
  return [asWarning({ rule: 'slow-canary', path: 'spec.updateStrategy.canary.steps', message, remedy })];
}
