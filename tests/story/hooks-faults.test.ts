import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { millis } from '#base/time.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import {
  breaking,
  hookRuns,
  isStatusWrite,
  never,
  openHooksWorld,
  resultOf,
  webMetric,
  type HooksWorld,
} from '../support/hooks-world.ts';

const key = (name: string) => ({ namespace: 'default', name });
const phaseOf = (run: KubeObject): string | undefined => textAt(run, 'status', 'phase');
const patchSpec = (world: HooksWorld, name: string, spec: JsonObject): Promise<unknown> =>
  world.client.patch(hookRuns, key(name), { type: 'merge', body: { spec } }, never);

/** Counters only ever grow, and `count` is what was counted. */
function expectSteady(statuses: readonly KubeObject[]): void {
  let before = 0;
  for (const run of statuses) {
    const result = resultOf(run, 'age');
    const [count, successful] = [numberAt(result, 'count') ?? 0, numberAt(result, 'successful') ?? 0];
    expect(count).toBeGreaterThanOrEqual(before);
    expect(count - before).toBeLessThanOrEqual(1);
    expect(successful).toBe(count);
    before = count;
  }
}

const cuts = [1, 2, 3, 4, 5, 6, 7].flatMap((at) =>
  (['before', 'after'] as const).map((when) => ({ at, when })),
);

test.for(cuts)('a controller that dies $when its write $at: the next one goes on', async ({ at, when }) => {
  await using world = await openHooksWorld({ controlled: false });
  await world.create('restarted', { metrics: [webMetric('age', { count: 4, interval: '10s' })] });
  const way = breaking(at, when);
  const dying = world.control({ around: way.around });
  await Promise.race([way.broken, world.pass(35, 1)]);
  await dying.close();
  const slots = new Set(world.asked.map((call) => Math.floor(call.at / 10)));
  await world.control().synced;
  await world.pass(60, 1);
  const run = await world.run('restarted');
  expect(phaseOf(run)).toBe('Successful');
  expect(resultOf(run, 'age')).toMatchObject({ count: 4, successful: 4 });
  const planned = listAt(resultOf(run, 'age'), 'measurements').map((each) => textAt(each, 'plannedAt'));
  expect(new Set(planned).size).toBe(4);
  expectSteady(world.statuses);
  // A call that could not be recorded is repeated at most once.
  expect(world.asked.length).toBeLessThanOrEqual(Math.max(4, slots.size) + 1);
});

test('two controllers at once count nothing twice', async () => {
  await using world = await openHooksWorld();
  await world.control().synced;
  await world.create('contested', { metrics: [webMetric('age', { count: 5, interval: '5s' })] });
  await world.pass(60, 1);
  const run = await world.run('contested');
  expect(resultOf(run, 'age')).toMatchObject({ count: 5, successful: 5, phase: 'Successful' });
  expectSteady(world.statuses);
});

test('another client writes the run between every two writes of ours', async () => {
  await using world = await openHooksWorld({ controlled: false });
  let meddled = 0;
  const meddling =
    (direct: Transport): Transport =>
    async (request) => {
      if (isStatusWrite(request) && request.path.includes('hookruns/')) {
        meddled += 1;
        const annotations = { meddled: String(meddled) };
        if (meddled % 2 === 1)
          await world.client.patch(
            hookRuns,
            key('meddled'),
            { type: 'merge', body: { metadata: { annotations } } },
            never,
          );
      }
      return direct(request);
    };
  await world.control({ around: meddling }).synced;
  await world.create('meddled', { metrics: [webMetric('age', { count: 4, interval: '5s' })] });
  await world.pass(40, 1);
  const run = await world.run('meddled');
  expect(meddled).toBeGreaterThan(4);
  expect(resultOf(run, 'age')).toMatchObject({ count: 4, successful: 4, phase: 'Successful' });
  expect(world.asked).toHaveLength(4);
});

test('the answer to the write of the start is lost: the run makes its calls', async () => {
  await using world = await openHooksWorld({ controlled: false });
  let writes = 0;
  const around =
    (direct: Transport): Transport =>
    async (request) => {
      const answer = await direct(request);
      if (!isStatusWrite(request) || (writes += 1) > 1) return answer;
      // The informer shows the new state before the failure is noticed.
      await world.pass(1, 1);
      throw new Unavailable('The answer was lost.');
    };
  await world.control({ around }).synced;
  await world.create('started', { metrics: [webMetric('age', { initialDelay: '5s' })] });
  await world.pass(20, 1);
  expect(phaseOf(await world.run('started'))).toBe('Successful');
  expect(world.asked).toHaveLength(1);
});

test('while the server accepts no writes no call is wasted, and then the run continues', async () => {
  await using world = await openHooksWorld({ controlled: false });
  let isAway = false;
  const around =
    (direct: Transport): Transport =>
    (request) => {
      if (isAway && isStatusWrite(request)) throw new Unavailable('The server is away.');
      return direct(request);
    };
  await world.control({ around }).synced;
  await world.create('patient', { metrics: [webMetric('age', { count: 4, interval: '10s' })] });
  await world.pass(5, 1);
  isAway = true;
  await world.pass(100, 1);
  const asked = world.asked.length;
  expect(asked).toBeLessThanOrEqual(2);
  isAway = false;
  await world.pass(160, 1);
  expect(resultOf(await world.run('patient'), 'age')).toMatchObject({ count: 4, phase: 'Successful' });
});

test('terminate ends a run at once, and gives up the call on its way', async () => {
  await using world = await openHooksWorld();
  world.service = () => 'hang';
  await world.create('stopped', { metrics: [webMetric('age', { interval: '10s' })] });
  await world.pass(2);
  expect(phaseOf(await world.run('stopped'))).toBe('Running');
  await patchSpec(world, 'stopped', { terminate: true });
  await world.pass(0.1, 0.05);
  expect(phaseOf(await world.run('stopped'))).toBe('Successful');
  expect(world.givenUp).toEqual(['http://hooks.example/age']);
  await world.pass(60, 5);
  expect(world.asked).toHaveLength(1);
});

test('terminate before the first call ends it as Successful', async () => {
  await using world = await openHooksWorld();
  await world.create('early', { terminate: true, metrics: [webMetric('age')] });
  await world.create('delayed', { metrics: [webMetric('age', { initialDelay: '1h' })] });
  await world.pass(1);
  expect(phaseOf(await world.run('early'))).toBe('Successful');
  expect(phaseOf(await world.run('delayed'))).toBe('Running');
  await patchSpec(world, 'delayed', { terminate: true });
  await world.pass(1);
  expect(phaseOf(await world.run('delayed'))).toBe('Successful');
  expect(world.asked).toEqual([]);
});

test('a run that is deleted gives up its calls, and is not written any more', async () => {
  await using world = await openHooksWorld();
  world.service = () => 'hang';
  await world.create('deleted', { metrics: [webMetric('age', { interval: '1s' })] });
  await world.create('deleting', { metrics: [webMetric('age', { interval: '1s' })] });
  const finalizers = ['example.com/slow'];
  await world.client.patch(
    hookRuns,
    key('deleting'),
    { type: 'merge', body: { metadata: { finalizers } } },
    never,
  );
  await world.pass(2);
  for (const name of ['deleted', 'deleting']) await world.client.remove(hookRuns, key(name), never);
  await world.pass(1);
  expect(world.givenUp).toHaveLength(2);
  const left = await world.run('deleting');
  await world.pass(30, 5);
  expect(resourceVersionOf(await world.run('deleting'))).toBe(resourceVersionOf(left));
  expect(world.asked).toHaveLength(2);
});

test('a run that is created again under the same name starts from the beginning', async () => {
  await using world = await openHooksWorld();
  await world.create('again', { metrics: [webMetric('age', { count: 3, interval: '5s' })] });
  await world.pass(6, 1);
  await world.client.remove(hookRuns, key('again'), never);
  await world.create('again', { metrics: [webMetric('age', { count: 2, interval: '5s' })] });
  await world.pass(20, 1);
  expect(resultOf(await world.run('again'), 'age')).toMatchObject({ count: 2, phase: 'Successful' });
  expect(world.asked).toHaveLength(4);
});

test('hung endpoints do not delay others', async () => {
  await using world = await openHooksWorld();
  world.service = (url) => (url.includes('hang') ? 'hang' : { age: 25 });
  for (let number = 0; number < 100; number += 1)
    await world.create(`hang-${number}`, { metrics: [webMetric(`hang-${number}`, { interval: '1s' })] });
  await world.create('healthy', { metrics: [webMetric('age', { count: 10, interval: '1s' })] });
  await world.pass(11, 0.5);
  const times = world.asked.filter(({ url }) => url.endsWith('/age')).map(({ at }) => at);
  expect(times).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('one metric that fails gives up the calls of the others', async () => {
  await using world = await openHooksWorld();
  world.service = (url) => (url.endsWith('slow') ? 'hang' : { age: 99 });
  await world.create('mixed', { metrics: [webMetric('slow'), webMetric('bad')] });
  await world.pass(1);
  expect(phaseOf(await world.run('mixed'))).toBe('Failed');
  expect(world.givenUp).toEqual(['http://hooks.example/slow']);
});

const web = { web: { url: 'http://hooks.example/x', jsonPath: '{$.age}' } };
const wrong: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['1 no metrics', {}, /metric/],
  ['2 a name twice', { metrics: [webMetric('a'), webMetric('a')] }, /a.*(twice|duplicate|same)|1/i],
  [
    '3 count below failureLimit',
    { metrics: [webMetric('a', { count: 1, failureLimit: 2 })] },
    /failureLimit/,
  ],
  [
    '3 count below successfulLimit',
    { metrics: [webMetric('a', { count: 1, successfulLimit: 2 })] },
    /successfulLimit/,
  ],
  [
    '4 count below inconclusiveLimit',
    { metrics: [webMetric('a', { count: 1, inconclusiveLimit: 2 })] },
    /inconclusiveLimit/,
  ],
  ['5 count without interval', { metrics: [webMetric('a', { count: 2 })] }, /interval/],
  ['6 an interval that is none', { metrics: [webMetric('a', { interval: 'soon' })] }, /interval/],
  ['7 a delay that is none', { metrics: [webMetric('a', { initialDelay: 'soon' })] }, /initialDelay/],
  ['8 a negative limit', { metrics: [webMetric('a', { failureLimit: -1 })] }, /failureLimit/],
  [
    '9 a streak of none',
    { metrics: [webMetric('a', { consecutiveSuccessfulLimit: 0 })] },
    /consecutiveSuccessfulLimit/,
  ],
  ['10 no provider', { metrics: [{ name: 'a', provider: {} }] }, /provider/],
  [
    '11 two providers',
    { metrics: [{ name: 'a', provider: { ...web, prometheus: { address: 'http://p', query: 'up' } } }] },
    /provider/,
  ],
  [
    'a condition that cannot be read',
    { metrics: [webMetric('a', { successCondition: 'asInt(result' })] },
    /successCondition/,
  ],
];

test.for(wrong)('a run that makes no sense ends in Error before any call: %s', async ([, spec, message]) => {
  await using world = await openHooksWorld();
  await world.create('wrong', spec);
  await world.pass(1);
  const run = await world.run('wrong');
  expect(phaseOf(run)).toBe('Error');
  expect(textAt(run, 'status', 'message')).toMatch(/^HookRun default\/wrong: /);
  expect(textAt(run, 'status', 'message')).toMatch(message);
  expect(await world.told('wrong')).toEqual([
    expect.stringMatching(/^Warning Failed Hook run wrong ended Error: /),
  ]);
  await world.pass(60, 10);
  expect(world.asked).toEqual([]);
  expect(world.statuses).toHaveLength(1);
});

test('a slow first answer does not hide that the run has begun', async () => {
  await using world = await openHooksWorld();
  world.service = async () => {
    await world.clock.sleep(millis(5000), never);
    return { age: 20 };
  };
  await world.create('slow', { metrics: [webMetric('age')] });
  await world.pass(1);
  expect(phaseOf(await world.run('slow'))).toBe('Running');
  await world.pass(6);
  expect(phaseOf(await world.run('slow'))).toBe('Successful');
  expect(world.statuses).toHaveLength(2);
});
