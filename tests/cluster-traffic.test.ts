import { expect, test } from 'vitest';
import { readPath } from './cluster/request-path.ts';
import { traffic, type Stream } from './cluster/traffic.ts';

const podsPath = readPath('/api/v1/namespaces/default/pods');
if (podsPath === undefined) throw new Error('the path of pods can be read');

test('a request without an answer is named until it comes', async () => {
  const answer = Promise.withResolvers<string>();
  const { moves, changes } = traffic;
  const read = traffic.reading('GET /api/v1/pods', answer.promise);
  expect(traffic.isBusy).toBe(true);
  expect(traffic.diagnosis).toMatch(/^no answer for 0\.0 s: GET \/api\/v1\/pods$/m);
  answer.resolve('pods');
  expect(await read).toBe('pods');
  expect(traffic.isBusy).toBe(false);
  expect(traffic.diagnosis).not.toContain('no answer');
  expect(traffic.diagnosis).toMatch(/^last requests: .*GET \/api\/v1\/pods$/m);
  expect(traffic.moves).toBeGreaterThan(moves);
  // Whoever only reads has changed nothing.
  expect(traffic.changes).toBe(changes);
  await traffic.during('POST /api/v1/pods', Promise.resolve());
  expect(traffic.changes).toBeGreaterThan(changes);
});

test('a watch that has not told what was written is named until it has', () => {
  const stream: Stream = { path: podsPath, isSelective: false, told: 7, due: 0, patience: 0 };
  const close = traffic.opened(stream);
  traffic.wrote(podsPath, 9);
  expect(traffic.isBusy).toBe(true);
  expect(traffic.diagnosis).toContain(
    'the watch of /api/v1/namespaces/default/pods told 7, 9 was written\nopen watches: 1',
  );
  traffic.told(stream, 9, true);
  expect(traffic.isBusy).toBe(false);
  close();
  expect(traffic.diagnosis).toContain('open watches: 0');
});
