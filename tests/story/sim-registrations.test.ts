import { expect, test } from 'vitest';
import { brokenDecisions } from '../sim/broken/patches.ts';
import { playBroken } from '../sim/broken/play-broken.ts';
import { planRegistrationWorld } from '../sim/registrations/plan-registration-world.ts';
import { playRegistrationWorld } from '../sim/registrations/play-registration-world.ts';

const decisions = brokenDecisions('src/registrations/');
const worlds = 25;

test('instances of a registration with faults break no rule', { timeout: 60_000 }, async () => {
  let [histories, calls] = [0, 0];
  for (let seed = 1; seed <= worlds; seed += 1) {
    const result = await playRegistrationWorld(planRegistrationWorld(seed));
    expect({ seed, complaints: result.complaints }).toEqual({ seed, complaints: [] });
    histories += result.histories;
    calls += result.calls;
  }
  expect(histories).toBeGreaterThan(2 * worlds);
  expect(calls).toBeGreaterThan(5 * worlds);
});

test('the same seed gives the same history', async () => {
  const [one, two, other] = [
    await playRegistrationWorld(planRegistrationWorld(7)),
    await playRegistrationWorld(planRegistrationWorld(7)),
    await playRegistrationWorld(planRegistrationWorld(8)),
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
    const { code, said } = await playBroken('registrations', name, seed);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(finds) as string });
    expect(said).toContain('breaks a rule');
  },
);

test('the same worlds break no rule when nothing is broken', { timeout: 60_000 }, async () => {
  for (const { seed } of decisions) {
    const { complaints } = await playRegistrationWorld(planRegistrationWorld(seed));
    expect({ seed, complaints }).toEqual({ seed, complaints: [] });
  }
});
