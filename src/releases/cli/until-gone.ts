import { seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { brokenPipe } from '#edge/closed-output.ts';
import { isUnread } from '#edge/unread-output.ts';
import type { ExitError } from '#command/exit.ts';
import { untilAborted } from './follow-release.ts';

/** Something that is shown until its object does not exist any more. */
export type ShownUntilGone = {
  isGone(): boolean;
  /** Ends the display. */
  close(): void;
  /** How the command ends when the object is gone. */
  readonly gone: ExitError;
};

/** Shows something until it is gone, or until the signal aborts. `changed` must be called after each change. */
export async function untilGone(
  signal: AbortSignal,
  show: (changed: () => void) => Promise<ShownUntilGone>,
): Promise<number> {
  let look = (): void => undefined;
  const shown = await show(() => look());
  const gone = new Promise<undefined>((resolve) => {
    look = () => {
      if (shown.isGone()) resolve(undefined);
    };
    look();
  });
  try {
    const code = await untilAborted(Promise.race([gone, untilUnread(signal)]), signal);
    if (code !== undefined) return code;
  } finally {
    shown.close();
  }
  throw shown.gone;
}

/** Ends a display when the signal aborts, or when nobody reads the output any more. */
export async function untilInterruption(signal: AbortSignal, close: () => void): Promise<number> {
  try {
    return await untilAborted(untilUnread(signal), signal);
  } finally {
    close();
  }
}

const betweenLooks = seconds(1);

/** Settles with the exit code when stdout is a pipe that nobody reads any more. */
export async function untilUnread(signal: AbortSignal): Promise<number> {
  while (!isUnread(process.stdout.fd)) await systemClock.sleep(betweenLooks, signal);
  return brokenPipe;
}
