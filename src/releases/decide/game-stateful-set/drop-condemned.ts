import { leave } from '#releases/decide/leave.ts';
import type { PodView } from '#releases/decide/pod-view.ts';
import { isFinished } from '#kube/workload/pod-facts.ts';
import { waitFor, type Look, type Verdict } from './look.ts';
import type { Places } from './places.ts';

/** Pods without a place go, the highest ordinal first, each when its hook consents (§3.3). */
export function dropCondemned(look: Look, places: Places): Verdict {
  const { isOrdered, leaving, release } = look;
  const sickest = firstUnhealthy(places);
  for (const view of places.condemned) {
    const { name, isDeleting } = view.facts;
    if (isDeleting) {
      if (isOrdered) return waitFor(look, `Pod ${name} is on its way out.`);
      continue;
    }
    if (isOrdered && !view.isInService && view !== sickest && !isFinished(view.facts))
      return waitFor(
        look,
        `Pod ${name} is removed once it is in service, or once others that are not are gone.`,
      );
    const before = release.findings.acts.length;
    leave(leaving, view, 'scale-down');
    if (!isOrdered) continue;
    // While it waits for its hook nothing changes, so that others need not wait with it.
    const isGone = release.findings.acts.slice(before).some(({ type }) => type === 'delete-pod');
    return isGone ? 'wait' : 'go on';
  }
  return 'go on';
}

/** The unhealthy pod of the lowest ordinal: it may go although it is not in service. */
function firstUnhealthy({ wanted, condemned }: Places): PodView | undefined {
  const inPlace = wanted.find(({ view }) => view === undefined || !view.isInService);
  if (inPlace !== undefined) return inPlace.view;
  return condemned.findLast((view) => !view.isInService);
}
