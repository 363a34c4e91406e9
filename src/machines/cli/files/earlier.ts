import type { OperationKind } from '#machines/decide/model.ts';
import { digestsOf, nothingEarlier, type Earlier } from '#machines/decide/print-plan.ts';
import { replay } from '#machines/decide/progress.ts';
import { lastOperation, readPlan } from './folders.ts';

/** What the last operation of the cluster sent and ran. */
export function earlierOf(clusterFolder: string, operation: OperationKind): Earlier {
  const last = lastOperation(clusterFolder);
  if (last === undefined) return nothingEarlier;
  const plan = readPlan(last.folder);
  const { tasks } = replay(last.records);
  const done = [...tasks].filter(([, { state }]) => state === 'Succeeded').map(([key]) => key);
  return { digests: digestsOf(plan), done: new Set(plan.operation === operation ? done : []) };
}
