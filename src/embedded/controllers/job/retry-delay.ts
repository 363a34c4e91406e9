import { listAt, textAt } from '#base/json.ts';
import { exponentialDelay, type BackOffSpans } from '#base/back-off.ts';
import { instant, later, minutes, parseTime, seconds, type Instant } from '#base/time.ts';
import { conditionOf } from '#kube/conditions.ts';
import { createdAt, factsOf } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';

const betweenPods: BackOffSpans = { first: seconds(10), longest: minutes(10) };

/** When the next pod may come after failures in a row, of which `known` is the least; undefined when at once. */
export function retryAt(pods: readonly KubeObject[], known = 0): Instant | undefined {
  const ended = pods
    .map((pod) => ({ phase: factsOf(pod).phase, at: finishedAt(pod) }))
    .filter(({ phase }) => phase === 'Succeeded' || phase === 'Failed');
  const lastSuccess = Math.max(0, ...ended.filter(({ phase }) => phase === 'Succeeded').map(({ at }) => at));
  const failures = ended.filter(({ phase, at }) => phase === 'Failed' && at > lastSuccess);
  if (failures.length === 0) return undefined;
  const last = instant(Math.max(...failures.map(({ at }) => at)));
  return later(last, exponentialDelay(Math.max(failures.length, known), betweenPods));
}

/** When the last container of a pod ended, as far as known. */
function finishedAt(pod: KubeObject): Instant {
  let last: Instant | undefined;
  for (const status of listAt(pod, 'status', 'containerStatuses')) {
    const end = parseTime(textAt(status, 'state', 'terminated', 'finishedAt') ?? '');
    if (end !== undefined && (last === undefined || end > last)) last = end;
  }
  const turned = parseTime(textAt(conditionOf(pod, 'Ready'), 'lastTransitionTime') ?? '');
  return last ?? turned ?? createdAt(pod);
}
