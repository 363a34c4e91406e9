import { expect, test } from 'vitest';
import { instant, later, seconds } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { LogRing } from './log-ring.ts';
import { PodLogStore } from './pod-logs.ts';

const start = instant(1_790_000_000_000);
const pod: KubeObject = { metadata: { name: 'p', namespace: 'ns', uid: 'u' } };

function book(): PodLogStore {
  const made = new PodLogStore();
  const lines = [
    [0, 'one'],
    [0, 'two'],
    [1, 'three'],
    [1, 'vier ä'],
  ] as const;
  lines.forEach(([restartCount, line], i) =>
    made.write('u', { container: 'c', restartCount, line }, later(start, seconds(i))),
  );
  return made;
}

test.for([
  ['the present run', {}, 'three\nvier ä\n'],
  ['the previous run', { previous: true }, 'one\ntwo\n'],
  ['the last line', { tailLines: 1 }, 'vier ä\n'],
  ['no line', { tailLines: 0 }, ''],
  ['since', { since: later(start, seconds(3)) }, 'vier ä\n'],
  ['with times', { timestamps: true, tailLines: 1 }, '2026-09-21T14:13:23.000000000Z vier ä\n'],
  ['no half characters', { tailLines: 1, limitBytes: 6 }, 'vier '],
  ['so many bytes', { limitBytes: 8 }, 'three\nvi'],
] as const)('%s', ([, options, text]) => {
  expect(book().read({ pod, container: 'c', ...options })).toBe(text);
});

test('a container that has not run has no log', () => {
  expect(book().read({ pod, container: 'd' })).toBeUndefined();
  const once = new PodLogStore();
  once.write('u', { container: 'c', restartCount: 0, line: 'x' }, start);
  expect(once.read({ pod, container: 'c', previous: true })).toBeUndefined();
});

test('after a restart of the process the log is derived from the status', () => {
  const ended = {
    exitCode: 1,
    reason: 'Error',
    startedAt: '2026-09-21T14:13:20Z',
    finishedAt: '2026-09-21T14:13:25Z',
  };
  const status = {
    name: 'c',
    state: { running: { startedAt: '2026-09-21T14:13:30Z' } },
    lastState: { terminated: ended },
  };
  const known = { ...pod, status: { containerStatuses: [status] } };
  const forgetful = new PodLogStore();
  expect(forgetful.read({ pod: known, container: 'c' })).toBe('container c started\n');
  expect(forgetful.read({ pod: known, container: 'c', previous: true })).toBe(
    'container c started\ncontainer c ended with code 1 (Error)\n',
  );
});

test('a follower gets past and new lines until the pod is gone', async () => {
  const made = book();
  const heard: string[] = [];
  const following = (async () => {
    for await (const text of made.follow(
      { pod, container: 'c', tailLines: 1 },
      new AbortController().signal,
    )) {
      heard.push(text);
      if (heard.length === 1) made.write('u', { container: 'c', restartCount: 2, line: 'five' }, start);
      if (heard.length === 2) made.forget('u');
    }
  })();
  await following;
  expect(heard).toEqual(['vier ä\n', 'five\n']);
});

test('a follower can leave', async () => {
  const leaving = new AbortController();
  const heard: string[] = [];
  for await (const text of book().follow({ pod, container: 'c' }, leaving.signal)) {
    heard.push(text);
    leaving.abort();
  }
  expect(heard).toEqual(['three\nvier ä\n']);
});

test('a ring keeps the last lines only', () => {
  const ring = new LogRing(3);
  for (let i = 0; i < 100; i += 1) {
    ring.add({ at: start, text: String(i) });
    expect(ring.lines().length).toBeLessThanOrEqual(3);
  }
  expect(ring.lines().map(({ text }) => text)).toEqual(['97', '98', '99']);
});
