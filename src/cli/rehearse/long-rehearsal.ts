import { kindOf, nameOf } from '#kube/object.ts';
import { spanText } from '#rehearse/span-text.ts';
import type { RehearsePlan } from './rehearse-plan.ts';
import { replicasOf } from './replicas-of.ts';

/** From this number of pods on a rehearsal takes long enough to wonder. */
const many = 500;
/** The controllers look at all pods after each change of one: twice as many pods take four times as long. */
const secondsOfThousand = 45;

/** What to expect of a workload with very many pods; undefined for others. */
export function longRehearsal(
  { workload, spec }: Pick<RehearsePlan, 'workload' | 'spec'>,
  runs: number,
): string | undefined {
  const pods = Math.max(replicasOf(workload), replicasOf({ spec }));
  if (pods < many) return undefined;
  const each = secondsOfThousand * (pods / 1000) ** 2;
  const title = `${kindOf(workload)} ${nameOf(workload)}`;
  const all = runs === 1 ? 'a rehearsal takes' : `${runs} rehearsals take`;
  return `${title} has ${pods} pods: ${all} about ${spanText(each * runs)}; with fewer replicas in the manifest it is faster`;
}
