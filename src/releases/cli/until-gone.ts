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
): Promise<never> {
  let look = (): void => undefined;
  const shown = await show(() => look());
  const gone = new Promise<void>((resolve) => {
    look = () => {
      if (shown.isGone()) resolve();
    };
    look();
  });
  try {
    await untilAborted(gone, signal);
  } finally {
    shown.close();
  }
  throw shown.gone;
}

/** Ends a display when the signal aborts. */
export async function untilInterruption(signal: AbortSignal, close: () => void): Promise<never> {
  try {
    return await untilAborted(new Promise<never>(() => undefined), signal);
  } finally {
    close();
  }
}
