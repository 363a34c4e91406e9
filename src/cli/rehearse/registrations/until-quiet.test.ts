import { expect, test } from 'vitest';
import { instant, later, minutes, seconds } from '#base/time.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';
import { pods } from '#loop/owned/resources.ts';
import { untilQuiet } from './until-quiet.ts';

const start = instant(0);

/** What `untilQuiet` finds when objects change so many seconds after the start. */
async function quietOf(changesAt: readonly number[], horizon: number) {
  const time = virtualTime(start);
  let changes = 0;
  for (const at of changesAt) time.clock.after(seconds(at), () => (changes += 1));
  const cluster = { time, changesOf: () => changes } as Partial<VirtualCluster> as VirtualCluster;
  const seen: number[] = [];
  const end = await untilQuiet(cluster, [pods], later(start, seconds(horizon)), () => seen.push(changes));
  return { last: end.last / 1000, isQuiet: end.isQuiet, seen };
}

test.for([
  { changes: [1, 5], horizon: 60, last: 5, isQuiet: true, seen: [0, 1, 2] },
  { changes: [1, 5], horizon: 5, last: 5, isQuiet: true, seen: [0, 1, 2] },
  { changes: [1, 5], horizon: 2, last: 1, isQuiet: false, seen: [0, 1] },
  { changes: [1, 100], horizon: 60, last: 1, isQuiet: false, seen: [0, 1] },
  { changes: [1, 600], horizon: 3600, last: 1, isQuiet: true, seen: [0, 1] },
  { changes: [], horizon: 1, last: 0, isQuiet: true, seen: [0] },
])('changes at $changes s, horizon $horizon s', async ({ changes, horizon, ...expected }) => {
  expect(await quietOf(changes, horizon)).toEqual(expected);
});

test('only two minutes are looked at after the end', async () => {
  expect(await quietOf([1, 2 + minutes(2) / 1000], 2)).toMatchObject({ last: 1, isQuiet: true });
});
