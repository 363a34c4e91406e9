import { expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { informerReader, requestReader, takeSnapshot } from '#hooks/controller/run-snapshot.ts';
import { decideRun, type Unwritten } from '#hooks/decide/decide-run.ts';
import { never, openHooksWorld } from '../support/hooks-world.ts';

const nothing: Unwritten = {
  begun: undefined,
  results: [],
  inFlight: new Set(),
  isChecked: true,
  isWriting: false,
  isFailing: false,
};
const least = millis(100);

test('a command takes the snapshot of a run with a request, and sees what the controller does next', async () => {
  await using world = await openHooksWorld();
  world.service = () => ({ age: 32 });
  await world.create('ages', {
    metrics: [
      {
        name: 'age',
        interval: '60s',
        count: 3,
        provider: { web: { url: 'http://192.0.2.1/age', jsonPath: '{$.age}' } },
      },
    ],
  });
  await world.pass(90);
  const before = await world.run('ages');

  const found = await takeSnapshot(requestReader(world.client), 'default/ages', least, never);
  const cached = await takeSnapshot(informerReader({ get: () => before }), 'default/ages', least, never);

  expect(found).toEqual(cached);
  if (found === undefined) throw new Error('there is no snapshot');
  const decision = decideRun(found, nothing, world.clock.now());
  expect(decision).toMatchObject({ type: 'running', calls: [], mustWrite: false });
  const start = world.clock.now() - 90_000;
  expect(decision.type === 'running' && (decision.wakeAt ?? 0) - start).toBeCloseTo(120_000, -3);
  expect(await world.run('ages')).toEqual(before);
});

test('there is no snapshot of a run that does not exist', async () => {
  await using world = await openHooksWorld({ controlled: false });
  expect(await takeSnapshot(requestReader(world.client), 'default/none', least, never)).toBeUndefined();
});
