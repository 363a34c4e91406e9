import { millis, minutes, type Clock } from '#base/time.ts';
import { readPiece, type OutputPiece } from './read-pieces.ts';

/** How often a file is looked at. */
const pause = millis(150);
/** After this time the reader asks again, and is checked again. */
const longest = minutes(10);

export type FollowOutput = {
  readonly path: string;
  readonly offset: number;
  /** Whether the script may still write. */
  readonly isOpen: () => boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export type FollowEnd =
  /** The script has ended, and all of its output was sent. */
  | { readonly end: 'complete' }
  /** Nothing more is sent: ask again from the byte after the last. */
  | { readonly end: 'pause' };

/**
 * What is in an output and what is added to it. After a lost connection a file is written again from its beginning, with
 * the same content: until it is as long as before, nothing is new.
 */
export async function* followOutput(given: FollowOutput): AsyncGenerator<OutputPiece | FollowEnd> {
  const { path, isOpen, clock, signal } = given;
  const began = clock.now();
  let { offset } = given;
  while (!signal.aborted) {
    // Before the read: what was written until then is read below.
    const isWhole = !isOpen();
    const piece = await readPiece(path, { offset, isWhole });
    if (piece !== undefined && piece.next > offset) {
      yield piece;
      offset = piece.next;
      continue;
    }
    if (isWhole) return yield { end: 'complete' };
    if (clock.now() - began >= longest) return yield { end: 'pause' };
    await clock.sleep(pause, signal).catch(() => undefined);
  }
}
