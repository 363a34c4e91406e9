import { expect, test } from 'vitest';
import { seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { ClusterHealth } from './cluster-health.ts';
import { feedOf, type Feed } from './feed.ts';
import { tabStream } from './tab-stream.ts';

/** A feed with a number that counts up. */
function countingFeed(): { readonly feed: Feed; count(): void; readonly released: () => number } {
  let value = 1;
  let released = 0;
  let tell = (): void => undefined;
  const feed = feedOf((onChange) => {
    tell = onChange;
    return {
      newsSince: (have) => ({
        texts: have === String(value) ? [] : [`from ${have ?? 'nothing'} to ${value}`],
        version: String(value),
      }),
      close: () => undefined,
    };
  });
  return {
    feed: { ...feed, close: () => void (released += 1) },
    count() {
      value += 1;
      tell();
    },
    released: () => released,
  };
}

const opened = (have: ReadonlyMap<string, string> = new Map()) => {
  const clock = manualClock(0);
  const counting = countingFeed();
  const ended = new AbortController();
  const gone = new AbortController();
  const health = new ClusterHealth({ clock, onUnauthorized: () => undefined });
  const topic = { topic: 'overview', feed: counting.feed, release: () => counting.feed.close() };
  const stream = tabStream({
    open: () => [topic],
    have,
    health,
    clock,
    ended: ended.signal,
    gone: gone.signal,
  });
  const next = async (): Promise<string | undefined> => {
    const { value, done } = await stream.next();
    return done === true ? undefined : value;
  };
  return { clock, counting, ended, gone, stream, next };
};

test('a tab that does not read finds the difference and not a queue', async () => {
  const { counting, next, stream } = opened();
  expect(await next()).toBe('retry: 1000\n: boathook\n\n');
  expect(await next()).toBe('from nothing to 1');
  for (let times = 0; times < 1000; times += 1) counting.count();
  expect(await next()).toBe('from 1 to 1001');
  const waiting = next();
  counting.count();
  expect(await waiting).toBe('from 1001 to 1002');
  await stream.return(undefined);
  expect(counting.released()).toBe(1);
});

test('what a tab has is not sent again, and silence has a heartbeat', async () => {
  const { clock, next, gone, counting } = opened(new Map([['overview', '1']]));
  await next();
  const waiting = next();
  await clock.waiting();
  clock.advance(seconds(15));
  expect(await waiting).toBe('event: beat\ndata: {}\n\n');
  const last = next();
  gone.abort();
  expect(await last).toBeUndefined();
  expect(counting.released()).toBe(1);
});

test('a stream that is never read takes nothing', async () => {
  const { counting, stream } = opened();
  await stream.return(undefined);
  expect(counting.released()).toBe(0);
});

test('the end of a session is told', async () => {
  const { next, ended, counting } = opened(new Map([['overview', '1']]));
  await next();
  const waiting = next();
  ended.abort(new Error('you have signed out'));
  expect(await waiting).toBe('data: {"type":"signed-out","message":"you have signed out"}\n\n');
  expect(await next()).toBeUndefined();
  expect(counting.released()).toBe(1);
});
