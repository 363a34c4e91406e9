import { parseDuration } from '#base/duration.ts';
import { millis, type Millis } from '#base/time.ts';
import { ExitError } from './exit.ts';

/** The exit code of a command whose `--timeout` elapsed, as timeout(1) has it. */
export const timeoutCode = 124;

/** The longest timer of Node: somewhat less than 25 days. */
const longest = millis(2 ** 31 - 1);

/** `--timeout` as a time; undefined when it is not given. */
export function timeoutIn(text: string | undefined): Millis | undefined {
  if (text === undefined) return undefined;
  const span = parseDuration(text);
  if (span !== undefined && span > 0) return millis(Math.min(Math.ceil(span), longest));
  throw new ExitError(2, `--timeout ${text} is not a duration: use one such as 30s or 10m`);
}

/** The end of a task that has a time limit. */
export type Limited<Value> = { readonly type: 'ended'; readonly value: Value } | { readonly type: 'late' };

/** Runs a task until it ends or the time limit elapses; then the signal of the task aborts. */
export async function withinTimeout<Value>(
  limit: Millis | undefined,
  whole: AbortSignal,
  task: (signal: AbortSignal) => Promise<Value>,
): Promise<Limited<Value>> {
  if (limit === undefined) return { type: 'ended', value: await task(whole) };
  const late = AbortSignal.timeout(limit);
  try {
    return { type: 'ended', value: await task(AbortSignal.any([whole, late])) };
  } catch (error) {
    if (!late.aborted || whole.aborted) throw error;
    return { type: 'late' };
  }
}
