import { millis, type Millis } from '#base/time.ts';
import type { Policy } from '#machines/decide/model.ts';
import type { JobStep } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { RemoteJobEnd } from '#edge/ssh/run-job.ts';

export type JobAbout = {
  readonly step: Pick<JobStep, 'title' | 'unchanged'> & { readonly policy: Pick<Policy, 'timeout'> };
  readonly node: string;
  /** Where its output is kept, if it is. */
  readonly log?: string;
  /** Started by an earlier operator. */
  readonly adopted: boolean;
};

const longestMessage = 1024;

/** How a job's end is written down. */
export function outcomeOf(end: RemoteJobEnd, about: JobAbout): TaskOutcome {
  const { step, node } = about;
  switch (end.type) {
    case 'exited':
      return exitOutcome(end, about);
    case 'timed-out':
      return { type: 'timedOut', limit: limitOf(step), escaped: end.escaped, message: messageOf(end, about) };
    case 'cancelled':
      return { type: 'cancelled', message: messageOf(end, about) };
    case 'disconnected':
    case 'given-up':
      return { type: 'unreachable', refused: false, launched: true, message: `${node}: ${end.message}` };
    default:
      return { type: withoutEnd[end.type], message: messageOf(end, about) };
  }
}

function exitOutcome(end: Extract<RemoteJobEnd, { type: 'exited' }>, about: JobAbout): TaskOutcome {
  const { step, adopted } = about;
  const { code: exit } = end;
  if (exit === step.unchanged?.done) return { type: 'succeeded', changed: false };
  if (exit === 0) return adopted ? { type: 'succeeded', adopted } : { type: 'succeeded' };
  const refused = exit === step.unchanged?.refused ? { changed: false as const } : {};
  return { type: 'failed', exit, ...refused, message: messageOf(end, about) };
}

/** Ends of jobs that never started, and of those with an unknown end. */
const withoutEnd = {
  refused: 'failed',
  unstaged: 'failed',
  changed: 'failed',
  absent: 'unknown',
  lost: 'unknown',
  rebooted: 'unknown',
} as const;

/** Only a job with a limit can exceed it. */
const limitOf = ({ policy }: JobAbout['step']): Millis => policy.timeout ?? millis(0);

const limitText = ({ policy: { timeout } }: JobAbout['step']): string =>
  timeout === undefined ? 'it may' : `${timeout / 1000} s`;

type Words = {
  readonly [Type in RemoteJobEnd['type']]: (
    end: Extract<RemoteJobEnd, { type: Type }>,
    about: JobAbout,
  ) => string;
};

const words: Words = {
  exited: ({ code }, { step }) =>
    code === step.unchanged?.refused ? 'refused, and changed nothing' : `ended with exit code ${code}`,
  'timed-out': ({ escaped }, { step }) =>
    `took longer than ${limitText(step)} and was ended${escapees(escaped)}`,
  cancelled: ({ escaped }) => `was cancelled${escapees(escaped)}`,
  refused: () => 'was refused by the node: another operator has taken it over',
  unstaged: ({ freeKilobytes: free }) =>
    `was not started: its files cannot be written on the node${free === undefined ? '' : ` (${free} KiB are free)`}`,
  changed: ({ path }) =>
    `was not started: ${path} is no longer what was delivered (check who can write there; the next attempt sends it again)`,
  absent: () => 'was never started',
  lost: () => 'was started, but the node has neither its result nor its process',
  rebooted: () => 'was running when the node rebooted: its progress is unknown',
  disconnected: ({ message }) => message,
  'given-up': ({ message }) => message,
};

const escapees = (pids: readonly number[]): string =>
  pids.length === 0 ? '' : `; processes that had left its group were killed: ${pids.join(', ')}`;

function messageOf<Type extends RemoteJobEnd['type']>(
  end: Extract<RemoteJobEnd, { type: Type }>,
  about: JobAbout,
): string {
  const describe = words[end.type] as (end: RemoteJobEnd, about: JobAbout) => string;
  const said = 'lastLines' in end && end.lastLines !== '' ? `\n${end.lastLines}` : '';
  const head = `${about.node}: ${about.step.title} ${describe(end, about)}`;
  const tail = about.log === undefined ? '' : `\nFull log: ${about.log}`;
  const room = longestMessage - head.length - tail.length;
  return `${head}${room > 1 ? said.slice(-room) : ''}${tail}`;
}
