import { formatDuration } from '#base/duration.ts';
import { formatTime, millis, type Instant } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { localNode } from '#machines/decide/plan.ts';
import { printable } from './printable.ts';

export const nodeText = (node: string): string => (node === localNode ? '(here)' : node);

/** One event as a line; undefined for events that are not printed. */
function eventText(event: ProgressEvent): string | undefined {
  const time = formatTime(event.at).slice(11, 19);
  switch (event.type) {
    case 'output':
      return undefined;
    case 'copy':
      return `${time} ${printable(`${nodeText(event.node)} ${event.step}`)}: ${copyText(event)}`;
    case 'notice':
      return `${time} ${event.node === undefined ? '' : `${nodeText(event.node)}: `}${printable(event.message)}`;
    case 'operation':
      return `${time} ${operationText(event)}`;
    case 'task':
      return `${time} ${taskText(event)}`;
  }
}

const sameCause = 'the same cause as in the previous attempt';

/** Events as lines, one after another. A cause that an attempt shares with the attempt before is printed once. */
export function eventTexts(): (event: ProgressEvent) => string | undefined {
  const causes = new Map<string, string>();
  return (event) => {
    if (event.type !== 'task' || event.outcome === undefined || !('message' in event.outcome))
      return eventText(event);
    const lines = event.outcome.message.split('\n');
    const logs = lines.filter((line) => line.startsWith('Full log: '));
    const cause = lines.filter((line) => !logs.includes(line)).join('\n');
    const key = `${event.step}@${event.node}`;
    const isSame = causes.get(key) === cause;
    causes.set(key, cause);
    if (!isSame) return eventText(event);
    return eventText({ ...event, outcome: { ...event.outcome, message: [sameCause, ...logs].join('\n') } });
  };
}

/** `next try at 20:15:03 (in 4s)`, by the same clock as the lines. */
export const nextTryText = (wakeAt: Instant, now: Instant): string =>
  `next try at ${formatTime(wakeAt).slice(11, 19)} (in ${formatDuration(millis(Math.max(0, Math.ceil((wakeAt - now) / 1000) * 1000)))})`;

/** `12.5 of 500.0 MiB copied (2 %)`. */
export function copyText({ bytes, total }: Pick<Of<'copy'>, 'bytes' | 'total'>): string {
  const inMebibytes = (count: number): string => (count / 1024 / 1024).toFixed(1);
  return `${inMebibytes(bytes)} of ${inMebibytes(total)} MiB copied (${Math.floor((bytes / total) * 100)} %)`;
}

type Of<Type> = Extract<ProgressEvent, { readonly type: Type }>;

function operationText({ id, state, message, wakeAt, at }: Of<'operation'>): string {
  const next = wakeAt === undefined ? '' : `, ${nextTryText(wakeAt, at)}`;
  return `operation ${id}: ${state}${next}${message === undefined ? '' : `: ${message}`}`;
}

function taskText({ node, title, state, attempt, outcome }: Of<'task'>): string {
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const adopted = outcome?.type === 'succeeded' && outcome.adopted === true ? ' (found finished)' : '';
  const why = outcome !== undefined && 'message' in outcome ? `\n${indented(outcome.message)}` : '';
  return `${printable(`${nodeText(node)} ${title}`)}: ${state}${again}${adopted}${why}`;
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${printable(line)}`)
    .join('\n');
