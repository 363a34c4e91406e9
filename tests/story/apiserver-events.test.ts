import { expect, test } from 'vitest';
import { memoryJournal } from '#base/memory-journal.ts';
import { millis, minutes, seconds } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { openApi, type BareApi } from '../support/bare-api.ts';
import { namesIn } from '../support/story-objects.ts';

const core = '/api/v1/namespaces/default/events';
const newer = '/apis/events.k8s.io/v1/namespaces/default/events';

const event = (name: string) => ({
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', name: 'tide', namespace: 'default' },
  reason: 'Started',
  message: 'Started container c',
  type: 'Normal',
});

const newerEvent = (name: string) => ({
  metadata: { name, namespace: 'default' },
  regarding: { kind: 'Pod', name: 'tide', namespace: 'default' },
  reason: 'Started',
  action: 'Starting',
  type: 'Normal',
  eventTime: '2025-11-15T12:00:00.000000Z',
  reportingController: 'example.com/tide',
  reportingInstance: 'tide-1',
});

const names = async (api: BareApi, path = core): Promise<readonly string[]> => namesIn(await api.get(path));

test('an event is removed an hour after its last write, in both groups, and watchers see it', async () => {
  await using api = await openApi();
  await api.create(core, event('a'));
  await api.create(core, event('b'));
  await api.create(newer, newerEvent('c'));
  await using watch = await api.watch(`${core}?watch=1&timeoutSeconds=100000&resourceVersion=0`);
  await using newerWatch = await api.watch(`${newer}?watch=1&timeoutSeconds=100000&resourceVersion=0`);
  expect(await watch.names(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  api.clock.advance(minutes(59));
  await api.patch(`${core}/b`, 'merge', { count: 2 });
  expect(await watch.names(1)).toEqual(['MODIFIED b']);
  api.clock.advance(minutes(2));
  expect(await watch.names(2)).toEqual(['DELETED a', 'DELETED c']);
  expect((await newerWatch.names(6)).slice(-2)).toEqual(['DELETED a', 'DELETED c']);
  expect(await names(api)).toEqual(['b']);
  expect(await names(api, newer)).toEqual(['b']);
  api.clock.advance(minutes(60));
  expect(await watch.names(1)).toEqual(['DELETED b']);
  expect((await api.get(`${core}/b`)).status).toBe(404);
  expect(api.problems).toEqual([]);
});

test('the time is counted from the write, whether or not the server was running', async () => {
  const journal = memoryJournal();
  const start = 1_763_210_000_000;
  {
    await using api = await openApi({ journal, clock: manualClock(start) });
    await api.create(core, event('a'));
    api.clock.advance(minutes(30));
    await api.create(core, event('b'));
  }
  await using api = await openApi({ journal, clock: manualClock(start + minutes(59)) });
  await using watch = await api.watch(`${core}?watch=1&timeoutSeconds=100000&resourceVersion=0`);
  expect(await watch.names(2)).toEqual(['ADDED a', 'ADDED b']);
  api.clock.advance(seconds(62));
  expect(await watch.names(1)).toEqual(['DELETED a']);
  api.clock.advance(minutes(30));
  expect(await watch.names(1)).toEqual(['DELETED b']);
});

test('many events that expire at once are removed in batches', async () => {
  await using api = await openApi();
  const all = Array.from({ length: 250 }, (_, at) => `e${String(at).padStart(3, '0')}`);
  for (const name of all) await api.create(core, event(name));
  const { revision } = api.embedded.server.context.store;
  await using watch = await api.watch(`${core}?watch=1&timeoutSeconds=100000&resourceVersion=${revision}`);
  api.clock.advance(minutes(61));
  for (const batch of [all.slice(0, 100), all.slice(100, 200), all.slice(200)]) {
    expect(await watch.names(batch.length)).toEqual(batch.map((name) => `DELETED ${name}`));
    await api.clock.waiting();
    api.clock.advance(millis(20));
  }
  expect(await names(api)).toEqual([]);
});

test('other objects do not expire, and neither do events that are kept for ever', async () => {
  await using api = await openApi({ eventTtl: millis(0) });
  await api.create(core, event('a'));
  await api.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } });
  api.clock.advance(minutes(600));
  expect(await names(api)).toEqual(['a']);
  expect(await names(api, '/api/v1/namespaces/default/configmaps')).toEqual(['m']);
});
