import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import { inCluster, type InCluster } from '#command/in-cluster.ts';
import { printAside } from '#command/print.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { claimedUser } from './claimed-user.ts';
import { findWorkload, type FoundWorkload } from './find-workload.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';
import { signatureOf, type Signature } from './signature.ts';

export type ActFlags = ReleaseFlags & { readonly reason?: string };

/** The cluster of a command that changes a workload. */
export type ActingIn = InCluster & {
  readonly clock: Clock;
  readonly random: Random;
  /** Prints what is not the output of the command. */
  readonly note: (line: string) => void;
};

type Act = (cluster: ActingIn, found: FoundWorkload, signed: Signature) => Promise<number>;

/** Runs a command that changes the workload of an argument. */
export const actOn = (workload: string, flags: ActFlags, act: Act): Promise<number> =>
  inCluster(flags, releaseAgent, async (inside) => {
    const cluster = { ...inside, clock: systemClock, random: systemRandom, note: printAside };
    const found = await findWorkload(cluster, workload);
    const signed = signatureOf(cluster, await claimedUser(cluster), flags.reason);
    return act(cluster, found, signed);
  });
