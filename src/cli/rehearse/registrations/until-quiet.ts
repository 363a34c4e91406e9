import { later, minutes, type Instant } from '#base/time.ts';
import type { Resource } from '#kube/resource.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';

/** When nothing changes for so long, nothing is on its way. Failed calls of hooks are repeated sooner at first. */
const quiet = minutes(2);

export type QuietEnd = {
  /** The time of the last change. */
  readonly last: Instant;
  /** False: something still changed at the end of the time. */
  readonly isQuiet: boolean;
};

/** Lets time pass until objects of these resources stay as they are. */
export async function untilQuiet(
  cluster: VirtualCluster,
  resources: readonly Resource[],
  end: Instant,
  onChange: () => void,
): Promise<QuietEnd> {
  const { time } = cluster;
  const count = (): number => resources.reduce((sum, each) => sum + cluster.changesOf(each), 0);
  let last = time.clock.now();
  let seen = -1;
  for (;;) {
    const changes = count();
    if (changes !== seen) {
      last = time.clock.now();
      onChange();
    }
    seen = changes;
    const calm = later(last, quiet);
    if (time.clock.now() >= calm) return { last, isQuiet: true };
    if (time.clock.now() >= end) return { last, isQuiet: false };
    await time.step(calm < end ? calm : end);
  }
}
