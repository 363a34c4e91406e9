import { equalJson, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatMicroTime, later, seconds, type Instant, type Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';

/** A lease as it was last read, and since when it has looked like that, by the local clock. */
export type SeenLease = { readonly object: KubeObject; readonly since: Instant };

const specOf = (lease: KubeObject): JsonObject => objectAt(lease, 'spec') ?? {};

export const holderOf = (lease: KubeObject): string => textAt(lease, 'spec', 'holderIdentity') ?? '';
export const transitionsOf = (lease: KubeObject): number => numberAt(lease, 'spec', 'leaseTransitions') ?? 0;

/** The times in a lease are of its holder's clock; only that it changes says something. */
export function seenAfter(seen: SeenLease | undefined, object: KubeObject, now: Instant): SeenLease {
  const isSame = seen !== undefined && equalJson(specOf(seen.object), specOf(object));
  return { object, since: isSame ? seen.since : now };
}

/** Whether nobody holds the lease, or its holder has not been heard of for the lease's duration. */
export function isFree({ object, since }: SeenLease, now: Instant): boolean {
  if (holderOf(object) === '') return true;
  const duration = seconds(numberAt(object, 'spec', 'leaseDurationSeconds') ?? 0);
  return now >= later(since, duration);
}

type Hold = { readonly identity: string; readonly duration: Millis; readonly now: Instant };

/** The lease of somebody who takes it, for the first time or from another. */
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

/** Given back: the next one need not wait. */
export const released = (lease: KubeObject, now: Instant): KubeObject => ({
  ...lease,
  spec: {
    ...specOf(lease),
    holderIdentity: '',
    leaseDurationSeconds: 1,
    renewTime: formatMicroTime(now),
  },
});
