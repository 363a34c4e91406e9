import { expect, test } from 'vitest';
import { instant, millis, seconds } from '#base/time.ts';
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

test('a lease is free when it has not changed for its duration, whatever its times are', () => {
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

test('a local clock that is set takes no lease early, and delays it no longer than one that was never seen', () => {
  const held = taken(fresh, hold('one', 0));
  const look = (seen: ReturnType<typeof seenAfter> | undefined, at: number) =>
    seenAfter(seen, held, instant(at), millis(5000));
  const first = look(undefined, 100_000);
  // Put forward by an hour: only five seconds of it count.
  const ahead = look(first, 3_700_000);
  expect(isFree(ahead, instant(3_700_000))).toBe(false);
  expect(isFree(look(look(ahead, 3_705_000), 3_710_000), instant(3_710_000))).toBe(true);
  // Put back by an hour after four seconds: eleven more are waited for.
  const back = look(look(look(first, 102_000), 104_000), -3_496_000);
  const again = look(look(look(back, -3_492_000), -3_488_000), -3_485_001);
  expect(isFree(again, instant(-3_485_001))).toBe(false);
  expect(isFree(look(again, -3_485_000), instant(-3_485_000))).toBe(true);
});
