import type { Hold } from '#decide/workload/reasons.ts';
import { nameOf } from '#kube/object.ts';
import { podNameOf } from '#kube/workload/stateful-identity.ts';
import type { Look } from './look.ts';
import type { Place } from './places.ts';

/** The longest value of a label, and the longest host name. */
const longest = 63;

/** What is wrong with a set although its schema accepts it: then no pod is made or removed. */
export function specTrouble({ sight }: Look, places: readonly Place[]): Hold | undefined {
  const { workload, updateRevision } = sight;
  const last = podNameOf(workload, places.at(-1)?.ordinal ?? 0);
  const name = [last, nameOf(updateRevision)].find((each) => each.length > longest);
  if (name === undefined) return undefined;
  return {
    reason: 'InvalidSpec',
    message: `The name ${nameOf(workload)} is too long: ${name}, which becomes a label of its pods, would have more than ${longest} characters. Make it anew under a shorter name.`,
  };
}
