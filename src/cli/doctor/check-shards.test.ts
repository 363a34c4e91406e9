import { expect, test } from 'vitest';
import { instant, parseTime } from '#base/time.ts';
import { checkShards, shardsIn } from './check-shards.ts';

const now = parseTime('2026-01-01T12:00:00Z') ?? instant(0);
const lease = (index: number, holderIdentity: string, second = 58) => ({
  metadata: { name: `boathook-controller-shard-${index}-of-3` },
  spec: { holderIdentity, renewTime: `2026-01-01T11:59:${second}.000000Z`, leaseDurationSeconds: 15 },
});
const check = (...leases: readonly ReturnType<typeof lease>[]) =>
  checkShards(leases, 3, { lease: 'boathook-controller', namespace: 'ops', now });

test.for([
  [[lease(0, 'b'), lease(1, 'a'), lease(2, 'b')], 'ok', 'Of 3 shards a holds 1; b holds 0, 2.'],
  [[lease(0, 'b'), lease(2, 'b')], 'failed', 'Nobody holds shard 1 of 3; b holds 0, 2.'],
  [[lease(0, 'b'), lease(1, 'a', 30), lease(2, '')], 'failed', 'Nobody holds shard 1, 2 of 3; b holds 0.'],
  [[], 'failed', 'Nobody holds shard 0, 1, 2 of 3.'],
] as const)('%j: %s', ([leases, state, message]) => {
  expect(check(...leases)).toMatchObject({ state, message });
});

test('a Lease with a single leader has no shards', () => {
  const held = (holderIdentity: string) => shardsIn({ spec: { holderIdentity } });
  expect([held('3-shards'), held('pod-1'), held('03-shards'), shardsIn(undefined)]).toEqual([
    3,
    undefined,
    undefined,
    undefined,
  ]);
});
