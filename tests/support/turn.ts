import { testCluster } from '../cluster/test-cluster.ts';
import { traffic } from '../cluster/traffic.ts';

const cluster = testCluster();
const isElsewhere = cluster !== undefined;
const isAlone = isElsewhere && !cluster.hasControllers;

/** Lets everything happen that is due now; with a server elsewhere also what is on its way to it or from it. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (isElsewhere) await traffic.pause();
}

/** How much has happened on the way to a server elsewhere and back. */
export const moves = (): number => traffic.moves;

let rested = 0;

/** Everything that can happen now has happened. */
export const settled = (): void => void (rested = traffic.changes);

/**
 * Whether anything can have changed since time passed. To settle takes a while elsewhere: where nobody but the story
 * acts, none of its timers was due and nothing was sent or told, all is as it was.
 */
export async function canMove(wasDue: boolean): Promise<boolean> {
  if (wasDue || !isAlone) return true;
  await turn();
  return traffic.changes !== rested;
}

/** In milliseconds of the machine; less than the time that a test has elsewhere. */
const longestWait = 120_000;

/** Fails when it is asked for longer than a story may wait, with what keeps it from going on. */
export function impatience(what: string): (why?: () => string) => void {
  const began = performance.now();
  return (why = () => '') => {
    if (performance.now() - began > longestWait) throw new Error(complaint(what, why()));
  };
}

const complaint = (what: string, why: string): string =>
  [`${what} within ${longestWait / 1000} s`, why, ...(isElsewhere ? [traffic.diagnosis] : [])]
    .filter((line) => line !== '')
    .join('\n');

/** The same for a promise. */
export async function inTime<Result>(promise: Promise<Result>, what: string): Promise<Result> {
  if (!isElsewhere) return promise;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(complaint(what, ''))), longestWait);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
