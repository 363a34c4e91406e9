import { expect, test } from 'vitest';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import {
  hookRuns,
  never,
  openHooksWorld,
  resultOf,
  webMetric,
  type HooksWorld,
} from '../support/hooks-world.ts';

const edit = (world: HooksWorld, name: string, spec: JsonObject) =>
  world.client.patch(hookRuns, { namespace: 'default', name }, { type: 'merge', body: { spec } }, never);

/** A run with calls at 0, 1, 2 and 3 s that would continue. */
async function running(world: HooksWorld, name: string): Promise<void> {
  await world.create(name, { metrics: [webMetric('age', { interval: '1s' })] });
  await world.pass(3.5, 0.5);
  expect(resultOf(await world.run(name), 'age')).toMatchObject({ phase: 'Running', count: 4 });
}

test.for<[string, readonly Json[]]>([
  ['no metrics', []],
  ['is not a duration', [webMetric('age', { interval: 'bananas' })]],
  ['needs an interval', [webMetric('age', { count: 9 })]],
])('a run that an edit made impossible ends with what it had: %s', async ([says, metrics]) => {
  await using world = await openHooksWorld();
  await running(world, 'edited');
  await edit(world, 'edited', { metrics });
  await world.pass(10, 1);
  const run = await world.run('edited');
  expect(textAt(run, 'status', 'phase')).toBe('Error');
  expect(textAt(run, 'status', 'message')).toContain(says);
  expect(textAt(run, 'status', 'startedAt')).toBe('2026-01-05T12:00:00Z');
  expect(resultOf(run, 'age')).toMatchObject({ phase: 'Error', count: 4, successful: 4 });
  expect(world.asked).toHaveLength(4);
  expect(await world.told('edited')).toContainEqual(
    expect.stringMatching(/^Warning Failed Hook run edited ended Error: /),
  );
});

test.for<[string, JsonObject]>([
  ['a count', { count: 3, interval: '1s' }],
  ['a limit', { successfulLimit: 2, interval: '1s' }],
])('%s that is reached by an edit ends the run', async ([, fields]) => {
  await using world = await openHooksWorld();
  await running(world, 'edited');
  await edit(world, 'edited', { metrics: [webMetric('age', fields)] });
  await world.pass(10, 1);
  const run = await world.run('edited');
  expect(textAt(run, 'status', 'phase')).toBe('Successful');
  expect(resultOf(run, 'age')).toMatchObject({ phase: 'Successful', count: 4 });
  expect(world.asked).toHaveLength(4);
});

test('an edit while no controller runs is found by the next one', async () => {
  await using world = await openHooksWorld({ controlled: false });
  const first = world.control();
  await running(world, 'edited');
  await first.close();
  await edit(world, 'edited', { metrics: [webMetric('age', { count: 2, interval: '1s' })] });
  const second = world.control();
  await world.pass(5, 1);
  expect(textAt(await world.run('edited'), 'status', 'phase')).toBe('Successful');
  expect(world.asked).toHaveLength(4);
  await second.close();
});

test('what many metrics have seen fits into a status, and the run ends', async () => {
  await using world = await openHooksWorld();
  world.service = () => ({ age: 25, text: 'x'.repeat(600) });
  const metrics = Array.from({ length: 60 }, (_, i) => webMetric(`m${i}`, { count: 30, interval: '1s' }));
  await world.create('many', { metrics, measurementRetention: 100 });
  await world.pass(31, 1);
  const run = await world.run('many');
  expect(textAt(run, 'status', 'phase')).toBe('Successful');
  expect(JSON.stringify(run).length).toBeLessThan(500_000);
  expect(resultOf(run, 'm59')).toMatchObject({ count: 30, successful: 30 });
  expect(listAt(resultOf(run, 'm59'), 'measurements').length).toBeGreaterThan(10);
});

test('a refusal is never too long to be written', async () => {
  await using world = await openHooksWorld();
  const args = Array.from({ length: 300 }, (_, i) => ({ name: `a${i}${'x'.repeat(200)}` }));
  await world.create('long', { metrics: [webMetric('age')], args });
  await world.pass(1);
  const run = await world.run('long');
  expect(textAt(run, 'status', 'phase')).toBe('Error');
  expect(textAt(run, 'status', 'message')).toMatch(/the arguments a0x+, .*…$/);
});
