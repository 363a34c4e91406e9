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
export const settled = (): void => void (rested = moves());

/**
 * Whether anything can have changed since time passed. To settle takes a while elsewhere: where nobody but the story
 * acts, none of its timers was due and nothing was sent or told, all is as it was.
 */
export async function canMove(wasDue: boolean): Promise<boolean> {
  if (wasDue || !isAlone) return true;
  await turn();
  return moves() !== rested;
}
