import { specTrouble } from '#decide/workload/spec-trouble.ts';
import type { Hold } from '#decide/workload/reasons.ts';
import { nameOf } from '#kube/object.ts';
import { podNameOf } from '#kube/workload/stateful-identity.ts';
import type { Look } from './look.ts';
import type { Place } from './places.ts';

/** The longest host name. */
const longest = 63;

/** What is wrong with a set although its schema accepts it: then no pod is made, removed or updated. */
export function setTrouble({ sight }: Look, places: readonly Place[]): Hold | undefined {
  const common = specTrouble(sight);
  if (common !== undefined) return common;
  const { workload } = sight;
  const last = podNameOf(workload, places.at(-1)?.ordinal ?? 0);
  if (last.length <= longest) return undefined;
  return {
    reason: 'InvalidSpec',
    message: `The name ${nameOf(workload)} is too long: ${last}, which becomes the host name of a pod, would have more than ${longest} characters. Make it anew under a shorter name.`,
  };
}
