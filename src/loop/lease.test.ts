import { expect, test } from 'vitest';
import { instant, seconds } from '#base/time.ts';
import { isFree, released, renewed, seenAfter, taken } from './lease.ts';

const fresh = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'n', name: 'l' },
};
const hold = (identity: string, at: number) => ({ identity, duration: seconds(15), now: instant(at) });

test('a lease is taken, renewed, taken over and given back', () => {
  const first = taken(fresh, hold('one', 0));
  expect(first).toEqual({
    ...fresh,
    spec: {
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '1970-01-01T00:00:00.000000Z',
      renewTime: '1970-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    },
  });
  const kept = renewed(first, hold('one', 2000));
  expect(kept['spec']).toMatchObject({
    acquireTime: '1970-01-01T00:00:00.000000Z',
    renewTime: '1970-01-01T00:00:02.000000Z',
    leaseTransitions: 0,
  });
  expect(taken(kept, hold('two', 3000))['spec']).toMatchObject({
    holderIdentity: 'two',
    leaseTransitions: 1,
  });
  const back = released(kept, instant(4000));
  expect(back['spec']).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
  expect(taken(back, hold('one', 5000))['spec']).toMatchObject({ leaseTransitions: 1 });
});

test('a lease is free when it has not changed for its duration, whatever its times say', () => {
  const held = taken(fresh, hold('one', 0));
  const seen = seenAfter(undefined, held, instant(1_000_000));
  const again = seenAfter(seen, { ...held, metadata: { resourceVersion: '9' } }, instant(1_005_000));
  expect(isFree(again, instant(1_014_999))).toBe(false);
  expect(isFree(again, instant(1_015_000))).toBe(true);
  const moved = seenAfter(again, renewed(held, hold('one', 1)), instant(1_014_000));
  expect(isFree(moved, instant(1_028_999))).toBe(false);
  expect(isFree(seenAfter(moved, released(held, instant(0)), instant(1_014_001)), instant(1_014_001))).toBe(
    true,
  );
});
