import { parseDuration } from '#base/duration.ts';
import { minutes, type Millis } from '#base/time.ts';
import { usualLeastInterval } from '#hooks/decide/least-interval.ts';
import { ExitError } from '#command/exit.ts';

const longest = minutes(60);

/** `--min-hook-interval`: how often one metric of a HookRun may be called at the most. */
export function leastHookInterval(text = ''): Millis {
  if (text === '') return usualLeastInterval;
  const span = parseDuration(text);
  if (span !== undefined && span <= longest) return span;
  throw new ExitError(
    2,
    `--min-hook-interval ${text} is not a duration from 0 to 1h: write it like 100ms or 1s`,
  );
}
