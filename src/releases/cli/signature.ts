import { formatTime, type Clock } from '#base/time.ts';
import type { Random } from '#base/random.ts';

/** Who wrote a request, when and why. */
export type Signature = {
  readonly id: string;
  /** The user that the cluster takes the client for. */
  readonly by: string;
  readonly reason?: string;
  readonly time: string;
};

export const signatureOf = (
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  by: string,
  reason: string | undefined,
): Signature => ({
  id: random.uuid(),
  by,
  ...(reason === undefined ? {} : { reason }),
  time: formatTime(clock.now()),
});
