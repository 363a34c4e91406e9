import { expect, test } from 'vitest';
import { brokenDecisions } from '../sim/broken/patches.ts';
import { playBroken } from '../sim/broken/play-broken.ts';
import { planMachineWorld } from '../sim/machines/plan-machine-world.ts';
import { playMachineWorld } from '../sim/machines/play-machine-world.ts';

const decisions = brokenDecisions('src/machines/');
const worlds = 15;

test('operations on machines with faults break no rule', { timeout: 60_000 }, async () => {
  let [histories, scripts] = [0, 0];
  for (let seed = 1; seed <= worlds; seed += 1) {
    const result = await playMachineWorld(planMachineWorld(seed));
    expect({ seed, complaints: result.complaints }).toEqual({ seed, complaints: [] });
    histories += result.histories;
    scripts += result.scripts;
  }
  expect(histories).toBeGreaterThan(2 * worlds);
  expect(scripts).toBeGreaterThan(10 * worlds);
});

test('the same seed gives the same history', async () => {
  const [one, two, other] = [
    await playMachineWorld(planMachineWorld(7)),
    await playMachineWorld(planMachineWorld(7)),
    await playMachineWorld(planMachineWorld(8)),
  ];
  expect(two.trace).toEqual(one.trace);
  expect(other.trace).not.toEqual(one.trace);
});

test('there are at least two broken decisions', () => {
  expect(decisions.length).toBeGreaterThanOrEqual(2);
});

test.for(decisions)(
  'the simulation finds that $breaks',
  { timeout: 60_000 },
  async ({ name, seed, finds }) => {
    const { code, said } = await playBroken('machines', name, seed);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(finds) as string });
    expect(said).toContain('breaks a rule');
  },
);

test('the same worlds break no rule when nothing is broken', { timeout: 60_000 }, async () => {
  for (const { seed } of decisions) {
    const { complaints } = await playMachineWorld(planMachineWorld(seed));
    expect({ seed, complaints }).toEqual({ seed, complaints: [] });
  }
});
