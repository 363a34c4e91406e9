import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '#edge/testing/child.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';

const moduleUrl = (name: string): string => new URL(name, import.meta.url).href;

/** Writes many events as kubelets do, and prints what they take of memory and how many are read back as they were. */
const writer = (journal: string): string => `
  import { Session } from 'node:inspector/promises';
  const { Store } = await import('${moduleUrl('store.ts')}');
  const { openSqliteJournal } = await import('${moduleUrl('../../../edge/journal/sqlite-journal.ts')}');
  const { ephemeralJournal } = await import('${moduleUrl('../../../edge/journal/ephemeral-journal.ts')}');
  const { systemClock } = await import('${moduleUrl('../../../edge/clock.ts')}');
  const session = new Session();
  session.connect();
  const used = async () => {
    await session.post('HeapProfiler.collectGarbage');
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const tasks = { soon: (task) => setImmediate(task) };
  const store = new Store({
    journal: ${journal}, clock: systemClock, tasks, expiring: { resource: '/events', ttl: 3_600_000 },
  });
  const event = (at) => ({
    kind: 'Event', apiVersion: 'v1',
    metadata: {
      name: 'web-6d4cf56db6-' + at + '.18e85041ee67c8f9', namespace: 'default', uid: crypto.randomUUID(),
      creationTimestamp: '2025-11-15T19:58:15Z',
      managedFields: [{ manager: 'kubelet', operation: 'Update', apiVersion: 'v1', time: '2025-11-15T19:58:15Z',
        fieldsType: 'FieldsV1', fieldsV1: { 'f:count': {}, 'f:firstTimestamp': {}, 'f:involvedObject': {},
          'f:lastTimestamp': {}, 'f:message': {}, 'f:reason': {}, 'f:reportingComponent': {},
          'f:source': { 'f:component': {} }, 'f:type': {} } }],
    },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web-6d4cf56db6-' + at, uid: crypto.randomUUID(), apiVersion: 'v1' },
    reason: 'Started', source: { component: 'kubelet', host: 'node-1' }, type: 'Normal',
    message: 'Started container c of pod web-6d4cf56db6-' + at, count: 1, at,
    firstTimestamp: '2025-11-15T19:58:15Z', lastTimestamp: '2025-11-15T19:58:15Z',
    reportingComponent: 'kubelet', reportingInstance: 'node-1', eventTime: null,
  });
  let written = 0;
  const write = async (upTo) => {
    while (written < upTo)
      await store.transact((transaction) => {
        for (let count = 0; count < 200; count += 1, written += 1)
          transaction.put('/events', 'default/web-6d4cf56db6-' + written + '.18e85041ee67c8f9', event(written));
      });
  };
  await write(5000);
  const before = await used();
  await write(45_000);
  const size = (await used() - before) / 40_000;
  let right = 0;
  for (const { key, object, json } of store.table('/events').range(undefined))
    if (key === 'default/web-6d4cf56db6-' + object.at + '.18e85041ee67c8f9' && json.includes('Started container')) right += 1;
  console.log(JSON.stringify({ size, right, sizeAfterReading: (await used() - before) / 40_000 }));
  store.close();
`;

test.for([
  { name: 'on disk', journal: 'openSqliteJournal(process.argv[1])' },
  { name: 'in memory only', journal: "ephemeralJournal('/events')" },
])(
  'an event takes at most 1 kB of memory and is read back as it was written: $name',
  { timeout: 120_000 },
  async ({ journal }) => {
    using dir = tempDir();
    const child = startChild(writer(journal), join(dir.path, 'objects.db'));
    const found = JSON.parse(String((await child.lines.next()).value)) as Record<string, number>;
    await child.kill();
    expect(found['right']).toBe(45_000);
    expect(found['size']).toBeGreaterThan(50);
    expect(found['size']).toBeLessThan(1000);
    expect(found['sizeAfterReading']).toBeLessThan(1000);
  },
);
