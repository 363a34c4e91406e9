import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import { isStatusWrite, openHooksWorld, webMetric, type HooksWorld } from '../support/hooks-world.ts';
import { noon } from '../support/world.ts';

const hour = 3_600_000;

/** A clock that can be set back; its timers go on. */
function openClock(): { readonly clock: ManualClock; readonly setBack: () => void } {
  const base = manualClock(noon);
  let behind = 0;
  return {
    clock: { ...base, now: () => instant(base.now() - behind) },
    setBack: () => void (behind += hour),
  };
}

const phaseOf = async (world: HooksWorld, name: string): Promise<string | undefined> =>
  textAt(await world.run(name), 'status', 'phase');

test('a verdict that could not be written is written soon although the clock was set back an hour', async () => {
  const { clock, setBack } = openClock();
  await using world = await openHooksWorld({ controlled: false, clock });
  let isAway = false;
  const around =
    (direct: Transport): Transport =>
    (request) => {
      if (isAway && isStatusWrite(request)) throw new Unavailable('The server is away.');
      return direct(request);
    };
  await world.control({ around }).synced;
  isAway = true;
  await world.create('waiting', { metrics: [webMetric('age')] });
  await world.pass(1);
  expect(await phaseOf(world, 'waiting')).toBeUndefined();
  setBack();
  isAway = false;
  await world.pass(2);
  expect(await phaseOf(world, 'waiting')).toBe('Successful');
  expect(world.asked).toHaveLength(1);
});

test('runs that are made right after the clock was set back an hour have their verdicts soon', async () => {
  const { clock, setBack } = openClock();
  await using world = await openHooksWorld({ clock });
  await world.create('before', { metrics: [webMetric('age')] });
  await world.pass(1);
  expect(await phaseOf(world, 'before')).toBe('Successful');
  setBack();
  await world.create('after', { metrics: [webMetric('age')] });
  await world.pass(1);
  expect(await phaseOf(world, 'after')).toBe('Successful');
});
