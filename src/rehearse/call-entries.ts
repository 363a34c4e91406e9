import { countText } from '#base/text.ts';
import type { RehearsedCall, RehearsedHook } from './rehearsal-report.ts';
import type { TimelineEntry } from './timeline-entry.ts';

/** A hook with more calls is shortened to its first and its last ones. */
const most = 10;
const [first, last] = [3, 5];

/** The calls of a hook. */
export function callEntries(hook: RehearsedHook): readonly TimelineEntry[] {
  const { calls } = hook;
  if (calls.length <= most) return calls.map((call) => callEntry(hook, call));
  return [
    ...calls.slice(0, first).map((call) => callEntry(hook, call)),
    ...leftOut(hook, calls.slice(first, -last)),
    ...calls.slice(-last).map((call) => callEntry(hook, call)),
  ];
}

function leftOut(hook: RehearsedHook, calls: readonly RehearsedCall[]): readonly TimelineEntry[] {
  const bad = calls.filter(({ phase }) => phase !== 'Successful').length;
  const text = `hook ${hook.template}: ${countText(calls.length, 'more call')}, ${bad === 0 ? 'all of them passed' : `${bad} of them did not pass`} (-o json has each)`;
  const tone = bad === 0 ? 'good' : 'bad';
  return calls.slice(0, 1).map(({ at }) => ({ at, order: orderOf(hook), tone, text }));
}

const callEntry = (hook: RehearsedHook, call: RehearsedCall): TimelineEntry => ({
  at: call.at,
  order: orderOf(hook),
  tone: call.phase === 'Successful' ? 'good' : 'bad',
  text: callText(hook, call),
});

/** Hooks of pods come after the step that updates the pods. */
const orderOf = ({ step }: RehearsedHook): number => (step === undefined ? 98_000 : step * 10 + 2);

function callText(
  { template }: RehearsedHook,
  { metric, value = '', phase, because = '', message = '' }: RehearsedCall,
): string {
  const why = because === '' ? (message === '' ? '' : `: ${message}`) : ` (${because})`;
  return `hook ${template}, ${metric}:${value === '' ? '' : ` ${value}`} ${phase}${why}`;
}
