import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { gameDeployment, never, openGameWorld, type GameWorld } from '../support/game-world.ts';

let world: GameWorld;
beforeAll(async () => {
  world = await openGameWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const canary = (step: JsonObject): JsonObject => ({ canary: { steps: [step] } });
const part = 'must be a whole number of at least 0 or a percentage from 0% to 100%, such as 25%';
const amount = 'must be a whole number of at least 0 or a percentage from 0% to 999%, such as 25%';
const duration = 'must be a number of seconds of at least 0 or a duration such as 90s, 5m or 1h30m';

test.for([
  ['maxUnavailable', { maxUnavailable: '150%' }, part],
  ['maxUnavailable', { maxUnavailable: '101%' }, part],
  ['maxUnavailable', { maxUnavailable: '-5%' }, part],
  ['maxUnavailable', { maxUnavailable: '25' }, part],
  ['maxUnavailable', { maxUnavailable: '' }, part],
  ['partition', { partition: '2.5%' }, part],
  ['canary.steps[0].partition', canary({ partition: '150%' }), part],
  ['maxSurge', { maxSurge: 'all' }, amount],
  ['canary.steps[0].pause.duration', canary({ pause: { duration: '5 min' } }), duration],
  ['canary.steps[0].pause.duration', canary({ pause: { duration: '1d' } }), duration],
] as const)('%s refuses %j with a sentence', async ([field, updateStrategy, sentence]) => {
  const outcome = await world.client.create(gameDeployments, gameDeployment({ updateStrategy }), never);
  if (outcome.type !== 'invalid') throw new Error(`it is ${outcome.type}`);
  expect(outcome.message).toContain(`spec.updateStrategy.${field}: Invalid value`);
  expect(outcome.message).toContain(sentence);
  expect(outcome.message).not.toMatch(/\[0-9\]|should match/);
});

const accepted: readonly JsonObject[] = [
  { maxUnavailable: '100%' },
  { maxUnavailable: '00%', maxSurge: 1 },
  { maxUnavailable: 5000 },
  { partition: 0, maxSurge: '150%' },
  { partition: '5%', maxSurge: '999%' },
  canary({ partition: '100%' }),
  canary({ pause: { duration: 0 } }),
  canary({ pause: { duration: '0' } }),
  canary({ pause: { duration: '1h30.5m250ms' } }),
];

test.for(accepted)('%j is accepted', async (updateStrategy) => {
  const wanted = gameDeployment({ updateStrategy }, `g${accepted.indexOf(updateStrategy)}`);
  expect(await world.client.create(gameDeployments, wanted, never)).toMatchObject({ type: 'ok' });
});

test.for([{ maxUnavailable: -1 }, { maxUnavailable: '1000%' }, canary({ pause: { duration: -1 } })])(
  '%j is refused by a limit',
  async (updateStrategy) => {
    const outcome = await world.client.create(gameDeployments, gameDeployment({ updateStrategy }), never);
    expect(outcome).toMatchObject({ type: 'invalid' });
  },
);
