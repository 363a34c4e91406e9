import { equalJson, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatMicroTime, instant, later, millis, seconds, type Instant, type Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';

/** Since when something has looked like it does, by the local clock. */
export type Sighting = {
  readonly since: Instant;
  /** When it was last looked at. */
  readonly looked: Instant;
};

/** A lease as it was last read. */
export type SeenLease = Sighting & { readonly object: KubeObject };

const specOf = (lease: KubeObject): JsonObject => objectAt(lease, 'spec') ?? {};

export const holderOf = (lease: KubeObject): string => textAt(lease, 'spec', 'holderIdentity') ?? '';
export const transitionsOf = (lease: KubeObject): number => numberAt(lease, 'spec', 'leaseTransitions') ?? 0;

/**
 * The times in a lease are of its holder's clock; only that it changes says something. The local clock may be set
 * as well: of the time between two looks no more than `mostGap` counts, and none that runs backwards. Then a clock
 * that is put forward takes no lease from a holder who still trusts it, and one that is put back does not wait
 * for the lost time.
 */
export function seenAfter(
  seen: SeenLease | undefined,
  object: KubeObject,
  now: Instant,
  mostGap: Millis = millis(Number.POSITIVE_INFINITY),
): SeenLease {
  const isSame = seen !== undefined && equalJson(specOf(seen.object), specOf(object));
  return { object, ...seenSince(isSame ? seen : undefined, now, mostGap) };
}

/** The same for anything. Undefined: it was not seen before, or has changed since. */
export function seenSince(seen: Sighting | undefined, now: Instant, mostGap: Millis): Sighting {
  if (seen === undefined) return { since: now, looked: now };
  const counted = Math.min(Math.max(0, now - seen.looked), mostGap);
  return { since: instant(now - (seen.looked - seen.since) - counted), looked: now };
}

/** Whether the lease has no holder, or was not renewed within its duration. */
export function isFree({ object, since }: SeenLease, now: Instant): boolean {
  if (holderOf(object) === '') return true;
  const duration = seconds(numberAt(object, 'spec', 'leaseDurationSeconds') ?? 0);
  return now >= later(since, duration);
}

type Hold = { readonly identity: string; readonly duration: Millis; readonly now: Instant };

/** The lease of a new holder, for the first time or after another holder. */
export const taken = (lease: KubeObject, { identity, duration, now }: Hold): KubeObject => ({
  ...lease,
  spec: {
    ...specOf(lease),
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(duration / 1000),
    acquireTime: formatMicroTime(now),
    renewTime: formatMicroTime(now),
    leaseTransitions: lease['spec'] === undefined ? 0 : transitionsOf(lease) + 1,
  },
});

export const renewed = (lease: KubeObject, { duration, now }: Hold): KubeObject => ({
  ...lease,
  spec: {
    ...specOf(lease),
    leaseDurationSeconds: Math.ceil(duration / 1000),
    renewTime: formatMicroTime(now),
  },
});

/** A released lease: the next holder need not wait. */
export const released = (lease: KubeObject, now: Instant): KubeObject => ({
  ...lease,
  spec: {
    ...specOf(lease),
    holderIdentity: '',
    leaseDurationSeconds: 1,
    renewTime: formatMicroTime(now),
  },
});
