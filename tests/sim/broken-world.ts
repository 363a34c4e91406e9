import { reasonOf } from '#loop/report.ts';
import type { PlayedWorld } from './world-sort.ts';

/** The complaint about a world that cannot be played to its end. */
export const brokenText = (error: unknown): string => `the world broke: ${reasonOf(error)}`;

/** Where an error comes from, for a trace. */
export const stackLines = (error: unknown): readonly string[] =>
  error instanceof Error ? (error.stack ?? '').split('\n') : [];

/** The result of a world of which nothing else is known. */
export const brokenWorld = (error: unknown): PlayedWorld => ({
  complaints: [brokenText(error)],
  histories: 0,
  judged: {},
  faults: {},
  trace: stackLines(error),
  digest: '',
});

/** Plays a world. An error is a complaint about it, also one that nobody waits for. */
export async function playCaught(play: () => Promise<PlayedWorld>): Promise<PlayedWorld> {
  const strays: unknown[] = [];
  const note = (error: unknown): void => void strays.push(error);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  try {
    const played = await play().catch(brokenWorld);
    // Node tells of a promise that nobody waits for a turn later.
    await new Promise((resolve) => void setImmediate(resolve));
    return {
      ...played,
      complaints: [...played.complaints, ...strays.map(brokenText)],
      trace: [...played.trace, ...strays.flatMap(stackLines)],
    };
  } finally {
    process.off('unhandledRejection', note).off('uncaughtException', note);
  }
}
