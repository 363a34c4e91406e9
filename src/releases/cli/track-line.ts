import { formatAge } from '#base/age.ts';
import { millis, parseTime, type Instant } from '#base/time.ts';
import { styled, widthOf, type StyledLine, type StyledText } from '#command/styled-line.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { StepView } from '#releases/decide/view/step-track.ts';
import { stepMarks, stepTones } from './tone.ts';

const joint: StyledText = { text: ' ─ ', tone: 'faint' };
/** Of longer tracks only the steps around the current one are shown. */
const mostSteps = 12;
const shownBefore = 3;

/** The steps of a release as a track, on as many lines as the width needs. */
export function trackLines(view: ReleaseView, now: Instant, columns: number): readonly StyledLine[] {
  const lines: StyledLine[] = [];
  let line: StyledLine = [];
  for (const part of partsOf(view, now)) {
    const longer = line.length === 0 ? [part] : [...line, joint, part];
    // Behind each line that is continued there is room for a joint.
    if (line.length > 0 && widthOf(longer) + joint.text.length > columns) {
      lines.push([...line, joint]);
      line = [part];
    } else line = longer;
  }
  return line.length === 0 ? lines : [...lines, line];
}

function partsOf(view: ReleaseView, now: Instant): readonly StyledText[] {
  const { steps } = view;
  const parts = steps.map((step) => partOf(step, view, now));
  if (steps.length <= mostSteps) return parts;
  const current = (view.step?.current ?? 1) - 1;
  const first = Math.min(Math.max(0, current - shownBefore), steps.length - mostSteps);
  const after = steps.length - first - mostSteps;
  return [
    ...(first === 0 ? [] : [styled(`… ${first} before`, 'faint')]),
    ...parts.slice(first, first + mostSteps),
    ...(after === 0 ? [] : [styled(`… ${after} more`, 'faint')]),
  ];
}

function partOf(step: StepView, view: ReleaseView, now: Instant): StyledText {
  const { state, number, title } = step;
  const note = noteOf(step, view, now);
  const text = `${stepMarks[state]} ${number} ${title}${note === '' ? '' : ` (${note})`}`;
  const isPaused = state === 'current' && view.phase === 'Paused';
  return styled(text, isPaused ? 'waiting' : stepTones[state]);
}

function noteOf(step: StepView, view: ReleaseView, now: Instant): string {
  const { state, endsAt, target, hookRun } = step;
  if (state === 'skipped') return 'skipped';
  if (state === 'failed') return hookRun?.phase ?? 'aborted';
  if (state !== 'current') return '';
  if (endsAt !== undefined) return countdown(endsAt, now);
  if (target !== undefined) return `${Math.min(view.replicas.updatedReady, target)} of ${target} ready`;
  if (hookRun !== undefined) return hookRun.phase;
  return view.verdict === 'waiting' ? 'waits' : '';
}

/** The time until a moment: `42s left`. */
export function countdown(endsAt: string, now: Instant): string {
  const end = parseTime(endsAt);
  if (end === undefined) return '';
  return end <= now ? 'over' : `${formatAge(millis(Math.ceil((end - now) / 1000) * 1000))} left`;
}
