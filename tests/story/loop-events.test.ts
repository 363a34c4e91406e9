import { expect, test } from 'vitest';
import { numberAt, textAt } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { minutes, seconds } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { createEventRecorder, type EventRecorder } from '#loop/event-recorder.ts';
import { configMap, configMaps, never, openLoopCluster, type LoopCluster } from '../support/loop-cluster.ts';

const events = { group: '', version: 'v1', plural: 'events', namespaced: true };

type Recorded = { readonly recorder: EventRecorder; readonly reports: string[]; readonly about: KubeObject };

async function open(cluster: LoopCluster, client = cluster.frail): Promise<Recorded> {
  const reports: string[] = [];
  const recorder = createEventRecorder({
    client,
    clock: cluster.clock,
    random: seededRandom(2),
    component: 'test-controller',
    report: (message, fields) => void reports.push(`${message}: ${textAt(fields, 'why')}`),
  });
  const made = await cluster.client.create(configMaps, configMap('a'), never);
  if (made.type !== 'ok') throw new Error(made.message);
  return { recorder, reports, about: made.object };
}

async function list(cluster: LoopCluster): Promise<readonly KubeObject[]> {
  const listed = await cluster.client.list(events, {}, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items;
}

const note = (message: string, reason = 'Done') => ({ type: 'Normal', reason, message }) as const;

test('the first note is an Event, further ones count', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  recorder.record(about, note('made it'));
  await recorder.idle();
  const [first] = await list(cluster);
  expect(first).toMatchObject({
    metadata: { namespace: 'default', name: expect.stringMatching(/^a\.[0-9a-f]{16}$/) as string },
    involvedObject: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      namespace: 'default',
      name: 'a',
      uid: (about['metadata'] as KubeObject)['uid'],
    },
    type: 'Normal',
    reason: 'Done',
    message: 'made it',
    count: 1,
    source: { component: 'test-controller' },
    reportingComponent: 'test-controller',
    firstTimestamp: '2026-05-04T03:02:01Z',
    lastTimestamp: '2026-05-04T03:02:01Z',
  });
  cluster.clock.advance(seconds(30));
  recorder.record(about, note('made it'));
  recorder.record(about, note('made it'));
  recorder.record(about, note('made it', 'DoneAgain'));
  await recorder.idle();
  const [again, other] = await list(cluster);
  expect([again, other].map((each) => each?.['reason'])).toEqual(['Done', 'DoneAgain']);
  expect(again).toMatchObject({
    metadata: { name: nameOf(first ?? {}) },
    count: 3,
    firstTimestamp: '2026-05-04T03:02:01Z',
    lastTimestamp: '2026-05-04T03:02:31Z',
  });
  await recorder.close();
});

test('notes during the write of an event are recorded as well', async () => {
  await using cluster = await openLoopCluster();
  const sent: (() => void)[] = [];
  const slow: KubeClient = {
    ...cluster.client,
    async create(...given) {
      await new Promise<void>((resolve) => sent.push(resolve));
      return cluster.client.create(...given);
    },
  };
  const { recorder, about } = await open(cluster, slow);
  recorder.record(about, note('made it'));
  await cluster.until(() => sent.length === 1);
  recorder.record(about, note('made it'));
  sent[0]?.();
  await recorder.idle();
  expect(await list(cluster)).toMatchObject([{ count: 2 }]);
  await recorder.close();
});

test('many texts of one reason become one, and one object cannot flood', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  for (let i = 1; i <= 40; i += 1) recorder.record(about, note(`attempt ${i}`));
  await recorder.idle();
  const told = (await list(cluster))
    .map((each) => `${numberAt(each, 'count')} ${textAt(each, 'message')}`)
    .sort();
  const alone = Array.from({ length: 9 }, (_, i) => `1 attempt ${i + 1}`);
  expect(told).toEqual([...alone, '31 (combined from similar events): attempt 40'].sort());
  recorder.record(about, note('too much'));
  cluster.clock.advance(minutes(5));
  recorder.record(about, note('another', 'Rested'));
  await recorder.idle();
  const reasons = (await list(cluster)).map((each) => `${textAt(each, 'reason')} ${textAt(each, 'message')}`);
  expect(reasons).toContain('Rested another');
  expect(reasons).not.toContain('Done too much');
  await recorder.close();
});

test('a warning about a busy object is sent', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  for (let i = 1; i <= 40; i += 1) recorder.record(about, note('pod made', `Made${i}`));
  recorder.record(about, { type: 'Warning', reason: 'Aborted', message: 'the hook failed' });
  await recorder.idle();
  const reasons = (await list(cluster)).map((each) => textAt(each, 'reason'));
  expect(reasons).toContain('Aborted');
  expect(reasons).toHaveLength(26);
  await recorder.close();
});

test('what a user requested of a busy object is sent', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  for (let i = 1; i <= 40; i += 1) recorder.record(about, note('pod made', `Made${i}`));
  recorder.record(about, { ...note('step 2/5 has ended', 'PromotedByUser'), isRequested: true });
  await recorder.idle();
  const reasons = (await list(cluster)).map((each) => textAt(each, 'reason'));
  expect(reasons).toContain('PromotedByUser');
  expect(reasons).toHaveLength(26);
  await recorder.close();
});

test('repetitions beyond the limit are counted, and the next event that is sent has the whole count', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  for (let i = 0; i < 30; i += 1) {
    recorder.record(about, note('pod made'));
    await recorder.idle();
  }
  expect(await list(cluster)).toMatchObject([{ count: 25 }]);
  cluster.clock.advance(minutes(5));
  recorder.record(about, note('pod made'));
  await recorder.idle();
  expect(await list(cluster)).toMatchObject([{ count: 31 }]);
  await recorder.close();
});

test('warnings are sent when other events fill the queue', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, reports, about } = await open(cluster);
  cluster.fail(5000);
  for (let i = 0; i < 1500; i += 1) recorder.record(configMap(`object-${i}`), note('made it'));
  const dropped = reports.length;
  recorder.record(about, { type: 'Warning', reason: 'Aborted', message: 'the hook failed' });
  expect(reports).toHaveLength(dropped);
  await recorder.close();
});

test('an event that expired meanwhile is created again and keeps its count', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  recorder.record(about, note('made it'));
  await recorder.idle();
  await cluster.client.removeCollection(events, { namespace: 'default' }, never);
  recorder.record(about, note('made it'));
  await recorder.idle();
  expect(await list(cluster)).toMatchObject([{ count: 2, message: 'made it' }]);
  await recorder.close();
});

test('refused events are dropped with a report; after an outage events are recorded later', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about, reports } = await open(cluster);
  recorder.record(configMap('b', {}, 'nowhere'), note('made it'));
  await recorder.idle();
  expect(reports).toEqual([expect.stringContaining('an event was dropped: namespaces "nowhere" not found')]);
  cluster.fail(3);
  recorder.record(about, note('made it'));
  await recorder.idle();
  expect(await list(cluster)).toEqual([]);
  let seen = 0;
  await cluster.until(() => {
    void list(cluster).then(({ length }) => (seen = length));
    return seen === 1;
  });
  cluster.fail(100);
  recorder.record(about, note('never told'));
  await cluster.until(() => reports.length === 2);
  expect(reports[1]).toContain('no answer today');
  await recorder.close();
});

test('noting never waits, and never keeps more than it should', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, reports } = await open(cluster);
  cluster.fail(100_000);
  for (let i = 0; i < 1500; i += 1) recorder.record(configMap(`object-${i}`), note('made it'));
  expect(reports).toHaveLength(500);
  expect(reports[0]).toContain('too many');
  await recorder.close();
});

test('what was noted first is listed first, though all of it happened at once', async () => {
  await using cluster = await openLoopCluster();
  const { recorder, about } = await open(cluster);
  const reasons = ['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started', 'Killing', 'Gone', 'Back'];
  for (const reason of reasons) recorder.record(about, note('it happened', reason));
  await recorder.idle();
  const listed = await list(cluster);
  expect(listed.map((event) => textAt(event, 'reason'))).toEqual(reasons);
});

test('an event whose answer was lost is not recorded twice', async () => {
  await using cluster = await openLoopCluster();
  let isLost = false;
  const client: KubeClient = {
    ...cluster.client,
    async create(...given) {
      const outcome = await cluster.client.create(...given);
      if (isLost) return outcome;
      isLost = true;
      throw new Unavailable('The connection broke.');
    },
  };
  const { recorder, about } = await open(cluster, client);
  recorder.record(about, note('made it'));
  await recorder.idle();
  recorder.record(about, note('made it'));
  cluster.clock.advance(seconds(60));
  await recorder.idle();
  expect(await list(cluster)).toMatchObject([{ count: 2, message: 'made it' }]);
  await recorder.close();
});
