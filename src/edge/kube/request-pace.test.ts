import { expect, test } from 'vitest';
import { instant, millis, seconds } from '#base/time.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { startServer } from '#edge/testing/server.ts';
import { RequestPace } from './request-pace.ts';
import { undiciTransport } from './undici-transport.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => systemTasks.soon(resolve));

/** A server of so many requests per second, and clients that always have one more to send. */
function busyWorld(limit: number) {
  const clock = manualClock(instant(0));
  const pace = new RequestPace(clock);
  const state = { limit, served: 0, refused: 0 };
  let [second, count] = [0, 0];
  const isTaken = (): boolean => {
    const now = Math.floor(clock.now() / 1000);
    [second, count] = now === second ? [second, count + 1] : [now, 1];
    return count <= state.limit;
  };
  const client = async (): Promise<void> => {
    for (;;) {
      const { signal } = new AbortController();
      await pace.turn(signal);
      while (!isTaken()) {
        state.refused += 1;
        await pace.refused(seconds(1), signal);
      }
      state.served += 1;
      await clock.sleep(millis(50), signal);
    }
  };
  return {
    pace,
    state,
    start: (clients: number) => void Array.from({ length: clients }, client),
    async pass(span: number) {
      for (let passed = 0; passed < span * 1000; passed += 50) {
        clock.advance(millis(50));
        await turn();
      }
    },
  };
}

test('the rate settles below the limit of the server, and most requests are served', async () => {
  const world = busyWorld(40);
  world.start(30);
  await world.pass(15);
  const { served, refused } = world.state;
  await world.pass(30);
  const [more, bad] = [world.state.served - served, world.state.refused - refused];
  expect(more).toBeGreaterThan(0.5 * 30 * 40);
  expect(bad).toBeLessThan(0.15 * more);
  expect(world.pace.figures.rate).toBeLessThan(60);
  expect(world.pace.figures.throttled).toBe(world.state.refused);
  expect(world.pace.figures.waited).toBeGreaterThan(30);
});

test('without refusals the limit goes away', async () => {
  const world = busyWorld(5);
  world.start(10);
  await world.pass(3);
  expect(world.pace.figures.rate).toBeDefined();
  world.state.limit = Infinity;
  await world.pass(55);
  expect(world.pace.figures.rate).toBeUndefined();
  const { served } = world.state;
  await world.pass(1);
  // 10 clients that pause for 50 ms, and no limit.
  expect(world.state.served - served).toBeGreaterThan(150);
});

test('a 429 of a real server holds all requests back for its Retry-After, but none about a Lease', async () => {
  const clock = manualClock(instant(1_600_000_000_000));
  const asked: string[] = [];
  await using server = await startServer(async ({ path }) => {
    asked.push(path);
    const isBusy = asked.filter((each) => each === '/a').length === 1 && path === '/a';
    return {
      status: isBusy ? 429 : 200,
      headers: isBusy ? { 'retry-after': '7' } : {},
      body: { type: 'text', text: '{}' },
    };
  });
  const opened = undiciTransport(
    {
      server: server.url,
      ca: server.certificates.ca,
      insecure: false,
      serverName: undefined,
      namespace: 'default',
      user: { certificate: undefined, login: { type: 'none' }, impersonate: undefined },
    },
    clock,
    { terminal: false, env: {} },
  );
  const get = async (path: string): Promise<number> =>
    (await opened.transport({ method: 'GET', path, query: '', headers: {}, signal: never })).status;
  const first = get('/a');
  await clock.waiting();
  const others = ['/b', '/c', '/d'].map(get);
  const lease = '/apis/coordination.k8s.io/v1/namespaces/x/leases/y';
  expect(await get(lease)).toBe(200);
  clock.advance(millis(6_999));
  await turn();
  expect(asked).toEqual(['/a', lease]);
  expect(opened.pace()).toMatchObject({ throttled: 1, rate: 10 });
  for (let passed = 0; passed < 1000; passed += 50) {
    clock.advance(millis(50));
    await turn();
  }
  expect(await Promise.all([first, ...others])).toEqual([200, 200, 200, 200]);
  expect(asked.slice(2).toSorted()).toEqual(['/a', '/b', '/c', '/d']);
  await opened.close();
});
