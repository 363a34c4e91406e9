import { later, minutes, type Instant } from '#base/time.ts';
import type { Resource } from '#kube/resource.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';

/** When nothing changes for so long, nothing is on its way. Failed calls of hooks are repeated sooner at first. */
const quiet = minutes(2);

export type QuietEnd = {
  /** The time of the last change up to the end. */
  readonly last: Instant;
  /** False: something changes after the end. */
  readonly isQuiet: boolean;
};

/** Lets time pass until objects of these resources stay as they are, also past the end to see whether they do. */
export async function untilQuiet(
  cluster: VirtualCluster,
  resources: readonly Resource[],
  end: Instant,
  /** Called after each change up to the end. */
  onChange: () => void,
): Promise<QuietEnd> {
  const { time } = cluster;
  const count = (): number => resources.reduce((sum, each) => sum + cluster.changesOf(each), 0);
  let last = time.clock.now();
  let seen = -1;
  for (;;) {
    const changes = count();
    const now = time.clock.now();
    if (changes !== seen && now > end) return { last, isQuiet: false };
    if (changes !== seen) {
      last = now;
      onChange();
    }
    seen = changes;
    const calm = later(last, quiet);
    if (now >= calm) return { last, isQuiet: true };
    await time.step(calm);
  }
}
