import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { hookRuns, never, openHooksWorld, resultOf, webMetric } from '../support/hooks-world.ts';

/** The run that a workload made, as it was before the controller saw it. */
const seedRun: JsonObject = {
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookRun',
  metadata: {
    labels: {
      'gamedeployment-revision': 'test-gamedeployment-67864c6f65',
      'gamedeployment-type': 'Step',
      'step-index': '4',
    },
    name: 'test-gamedeployment-67864c6f65-4-test',
    namespace: 'default',
  },
  spec: {
    metrics: [
      {
        name: 'webtest',
        provider: { web: { jsonPath: '{$.age}', url: 'http://1.1.1.1:9091' } },
        successCondition: 'asInt(result) < 30',
      },
    ],
  },
};

test('the run of the document ends as it shows', async () => {
  await using world = await openHooksWorld();
  world.service = () => ({ name: 'bryan', male: 'yes', age: 32 });
  const created = await world.client.create(hookRuns, seedRun, never);
  expect(created.type).toBe('ok');
  await world.pass(1);
  const run = await world.run('test-gamedeployment-67864c6f65-4-test');
  const time = '2026-01-05T12:00:00Z';
  expect(objectAt(run, 'status')).toMatchObject({
    metricResults: [
      {
        count: 1,
        failed: 1,
        measurements: [{ finishedAt: time, phase: 'Failed', startedAt: time, value: '32' }],
        name: 'webtest',
        phase: 'Failed',
      },
    ],
    phase: 'Failed',
    startedAt: time,
  });
  expect(world.asked).toEqual([{ url: 'http://1.1.1.1:9091', at: 0 }]);
  // Beginning, measurement and verdict are one write.
  expect(world.statuses).toHaveLength(1);
  const told = await world.told('test-gamedeployment-67864c6f65-4-test');
  expect(told).toEqual([
    expect.stringMatching(/^Warning Failed Metric webtest ended Failed: /),
    expect.stringMatching(/^Warning Failed Hook run test-gamedeployment-67864c6f65-4-test ended Failed: /),
  ]);
});

test('a finished run is never touched again, whatever is done to its spec', async () => {
  await using world = await openHooksWorld();
  await world.create('done', { metrics: [webMetric('age')] });
  await world.pass(1);
  const before = await world.run('done');
  expect(textAt(before, 'status', 'phase')).toBe('Successful');
  const key = { namespace: 'default', name: 'done' };
  await world.client.patch(hookRuns, key, { type: 'merge', body: { spec: { terminate: true } } }, never);
  await world.pass(60, 10);
  const after = await world.run('done');
  expect(after['status']).toEqual(before['status']);
  expect(world.asked).toHaveLength(1);
  expect(await world.told('done')).toEqual([
    'Normal Complete Metric age ended Successful',
    'Normal Complete Hook run done ended Successful',
  ]);
});

test.for([
  ['neither count nor interval', {}, [0], 'Successful'],
  ['count 2 and an interval', { count: 2, interval: '60s' }, [0, 60], 'Successful'],
  ['an interval alone', { interval: '60s' }, [0, 60, 120, 180], 'Running'],
] as const)('number of calls: %s', async ([, metric, times, phase]) => {
  await using world = await openHooksWorld();
  await world.create('matrix', { metrics: [webMetric('age', metric)] });
  await world.pass(200, 5);
  expect(world.asked.map(({ at }) => at)).toEqual(times);
  expect(textAt(await world.run('matrix'), 'status', 'phase')).toBe(phase);
});

test('sixty calls at one second are planned from the first one, whatever the answers take', async () => {
  await using world = await openHooksWorld();
  world.service = async () => {
    await world.clock.sleep(300 as never, never);
    return { age: 25 };
  };
  await world.create('minute', { metrics: [webMetric('age', { count: 60, interval: '1s' })] });
  await world.pass(61, 0.1);
  expect(world.asked.map(({ at }) => at)).toEqual(Array.from({ length: 60 }, (_, second) => second));
  const run = await world.run('minute');
  expect(resultOf(run, 'age')).toMatchObject({ count: 60, successful: 60, phase: 'Successful' });
  expect(listAt(resultOf(run, 'age'), 'measurements')).toHaveLength(10);
  expect(textAt(listAt(resultOf(run, 'age'), 'measurements').at(-1), 'plannedAt')).toBe(
    '2026-01-05T12:00:59.000000Z',
  );
  expect(world.statuses.length).toBeLessThanOrEqual(60);
});

test('intervals below a second are kept', async () => {
  await using world = await openHooksWorld();
  await world.create('fast', { metrics: [webMetric('age', { count: 5, interval: '200ms' })] });
  await world.pass(2, 0.05);
  expect(world.asked.map(({ at }) => at)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
});

test('no metric is called more often than every 100ms, however short its interval', async () => {
  await using world = await openHooksWorld();
  await world.create('flood', {
    metrics: [webMetric('age', { count: 5, interval: '1ms' }), webMetric('other', { interval: '0.5ms' })],
  });
  await world.pass(1, 0.01);
  expect(world.asked.length).toBeLessThanOrEqual(5 + 11);
  expect(world.asked.slice(0, 6).map(({ at }) => at)).toEqual([0, 0, 0.1, 0.1, 0.2, 0.2]);
  expect(resultOf(await world.run('flood'), 'age')).toMatchObject({ count: 5, phase: 'Successful' });
});

test('arguments are filled into the address; a missing one is an error', async () => {
  await using world = await openHooksWorld();
  const provider = { web: { url: 'http://{{ args.PodIP }}:9091', jsonPath: '{$.age}' } };
  await world.create('filled', {
    args: [{ name: 'PodIP', value: '10.0.0.7' }],
    metrics: [{ name: 'ip', provider }],
  });
  await world.create('unfilled', { args: [{ name: 'PodIP' }], metrics: [{ name: 'ip', provider }] });
  await world.pass(60, 1);
  expect(world.asked.map(({ url }) => url)).toEqual(['http://10.0.0.7:9091']);
  expect(textAt(await world.run('filled'), 'status', 'phase')).toBe('Successful');
  expect(textAt(await world.run('unfilled'), 'status', 'phase')).toBe('Error');
});

test('ordered metrics are called one after the other, and a failure ends all', async () => {
  await using world = await openHooksWorld();
  const metrics = [
    webMetric('first', { count: 2, interval: '10s' }),
    webMetric('second'),
    webMetric('third', { count: 3, interval: '10s' }),
  ];
  world.service = (url) => ({ age: url.endsWith('second') ? 99 : 20 });
  await world.create('ordered', { policy: 'Ordered', metrics });
  await world.pass(60, 1);
  expect(world.asked.map(({ url, at }) => `${url.split('/').at(-1)} ${at}`)).toEqual([
    'first 0',
    'first 10',
    'second 10',
  ]);
  const run = await world.run('ordered');
  expect(textAt(run, 'status', 'phase')).toBe('Failed');
});

test('metrics that answer together are one write', async () => {
  await using world = await openHooksWorld();
  const metrics = ['a', 'b', 'c', 'd'].map((name) => webMetric(name, { count: 3, interval: '5s' }));
  await world.create('together', { metrics });
  await world.pass(20, 1);
  expect(world.asked).toHaveLength(12);
  expect(world.statuses).toHaveLength(3);
});

test('an expired run is removed, and only then', async () => {
  await using world = await openHooksWorld();
  await world.create('short', { ttlAfterFinished: '30s', metrics: [webMetric('age')] });
  await world.create('long', { metrics: [webMetric('age')] });
  await world.pass(29, 1);
  expect(textAt(await world.run('short'), 'status', 'phase')).toBe('Successful');
  await world.pass(3, 1);
  await expect(world.run('short')).rejects.toThrow('not found');
  expect(textAt(await world.run('long'), 'status', 'phase')).toBe('Successful');
});
