import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { instant } from '#base/time.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import { openHooksWorld, webMetric, type HooksWorld } from '../support/hooks-world.ts';
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
