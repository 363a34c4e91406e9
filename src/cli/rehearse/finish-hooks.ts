import { later, minutes, type Instant } from '#base/time.ts';
import { isOver } from '#hooks/decide/run-phase.ts';
import { leastDuration } from '#hooks/decide/least-duration.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { specOf } from '#hooks/read.ts';
import type { KubeObject } from '#kube/object.ts';
import { originOf } from '#releases/model/run-labels.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

/** A hook that can only fail may go on for ever. */
const endless = minutes(60);

/** A release is complete before the hooks of its last pods have a verdict. Goes on until they have, or until `end`. */
export async function finishPostUpdateHooks(cluster: VirtualCluster, end: Instant): Promise<void> {
  const { time } = cluster;
  const soon = later(time.clock.now(), endless);
  const isAwaited = (run: KubeObject): boolean =>
    originOf(run).point === 'post-inplace' && !isOver(run) && (time.clock.now() < soon || canPass(run));
  await time.settle();
  while (cluster.stored(hookRuns).some(isAwaited)) if (!(await time.step(end))) return;
}

function canPass(run: KubeObject): boolean {
  const { metrics = [], ...spec } = specOf(run);
  return leastDuration({ spec: { ...spec, metrics } }) !== undefined;
}
