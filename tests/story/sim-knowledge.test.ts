import { expect, test } from 'vitest';
import type { KubeClient } from '#edge/kube/client.ts';
import type { WatchEvent } from '#edge/kube/watch.ts';
import type { KubeObject } from '#kube/object.ts';
import { pods } from '#loop/owned/resources.ts';
import { aroundClient } from '../sim/faults/around-client.ts';
import { Knowledge } from '../sim/knowledge.ts';
import { Turns } from '../sim/turns.ts';

const { signal } = new AbortController();
const pod = (name: string, resourceVersion = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'h0', resourceVersion },
});

/** A controller whose watch has sent version 3, and whose requests are answered when the test says so. */
async function openController() {
  const turns = new Turns((task) => process.nextTick(task));
  const knowledge = new Knowledge(turns);
  const answers: (() => void)[] = [];
  const events: WatchEvent[] = ['3', '7'].map((version) => ({ type: 'MODIFIED', object: pod('b', version) }));
  const server = {
    remove: () => new Promise((resolve) => answers.push(() => resolve({ type: 'ok', object: pod('a') }))),
    async *watch() {
      for (const event of events) yield await Promise.resolve(event);
    },
  } as unknown as KubeClient;
  const client = aroundClient(server, knowledge.ofControllers());
  const watch = client.watch(pods, {}, signal)[Symbol.asyncIterator]();
  await watch.next();
  return {
    turns,
    answers,
    knows: (name: string) => knowledge.of(pod(name))?.('pods'),
    receive: () => watch.next(),
    remove: (name: string) => client.remove(pods, { namespace: 'h0', name }, signal),
  };
}

test('a write knows what was received before it, and nothing when it has ended', async () => {
  const { answers, knows, receive, remove } = await openController();
  const removed = remove('a');
  await receive();
  expect([knows('a'), knows('b')]).toEqual([3, undefined]);
  answers[0]?.();
  await removed;
  expect(knows('a')).toBeUndefined();
});

test('writes of one reconcile know what it knew when it began', async () => {
  const { turns, answers, knows, receive, remove } = await openController();
  const first = remove('a');
  await receive();
  answers[0]?.();
  await first;
  void remove('b');
  expect(knows('b')).toBe(3);
  answers[1]?.();
  await turns.next();
  void remove('c');
  expect(knows('c')).toBe(7);
});
