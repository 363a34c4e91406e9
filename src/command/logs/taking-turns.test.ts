import { expect, test } from 'vitest';
import type { Outcome } from '#edge/kube/outcome.ts';
import { takingTurns } from './taking-turns.ts';

const resource = { group: '', version: 'v1', plural: 'things', namespaced: false };
const never = new AbortController().signal;

test('so many at once, the others in turn; who leaves is not waited for', async () => {
  const running: ((outcome: Outcome) => void)[] = [];
  const client = takingTurns({ create: () => new Promise((resolve) => running.push(resolve)) }, 2);
  const ask = (signal = never): Promise<Outcome> => client.create(resource, {}, signal);
  const first = ask();
  const second = ask();
  const leaving = new AbortController();
  const third = ask(leaving.signal);
  const fourth = ask();
  await Promise.resolve();
  expect(running).toHaveLength(2);
  leaving.abort(new Error('gone'));
  await expect(third).rejects.toThrow('gone');
  running[0]?.({ type: 'ok', object: {} });
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  expect(running).toHaveLength(3);
  running[1]?.({ type: 'ok', object: {} });
  running[2]?.({ type: 'ok', object: {} });
  expect(await Promise.all([second, fourth])).toHaveLength(2);
  await expect(ask(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
