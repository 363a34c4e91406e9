import { expect, test } from 'vitest';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { summary } from '#embedded/nodes/testing/history-lines.ts';
import { historyViolations } from '#embedded/nodes/testing/violations.ts';
import { never, openNodes, pods, storyPod, type NodesCluster } from '../support/nodes-cluster.ts';

type How = 'before the write' | 'after the write';

/** The client of a process that is killed at its n-th write: the write is lost, or only the answer is. */
class KilledProcess {
  readonly client: KubeClient;
  readonly #how: How;
  #left = Infinity;

  constructor(client: KubeClient, how: How) {
    this.#how = how;
    this.client = {
      ...client,
      create: (...args) => this.#write(() => client.create(...args)),
      update: (...args) => this.#write(() => client.update(...args)),
      updateStatus: (...args) => this.#write(() => client.updateStatus(...args)),
      patch: (...args) => this.#write(() => client.patch(...args)),
      remove: (...args) => this.#write(() => client.remove(...args)),
    };
  }

  /** From now on its writes are counted. */
  dieAt(writes: number): void {
    this.#left = writes;
  }

  get isDead(): boolean {
    return this.#left <= 0;
  }

  async #write<Outcome>(act: () => Promise<Outcome>): Promise<Outcome> {
    this.#left -= 1;
    if (this.#left > 0) return act();
    if (this.#left === 0 && this.#how === 'after the write') await act();
    throw new Unavailable('the process was killed', undefined);
  }
}

const key = (name: string) => ({ namespace: 'default', name });

/** Something of everything: starts, crashes, probes, an end, a new image, a deletion with a hook. */
const cast: readonly KubeObject[] = [
  storyPod('plain'),
  storyPod('crash', { annotations: { 'crash-after': '2s', 'crash-count': '2' } }),
  storyPod('ends', { annotations: { 'run-duration': '3s' }, spec: { restartPolicy: 'Never' } }),
  storyPod('slow', { annotations: { 'pull-delay': '1s', probe: 'fail-first:3s' } }),
  storyPod('image'),
  storyPod('leaves', { container: { lifecycle: { preStop: { sleep: { seconds: 2 } } } } }),
  storyPod('init', { spec: { initContainers: [{ name: 'i', image: 'app:1' }] } }),
];

async function act(cluster: NodesCluster, step: (span: number) => Promise<void>): Promise<void> {
  for (const pod of cast) expect((await cluster.client.create(pods, pod, never)).type).toBe('ok');
  await step(2000);
  const body = { spec: { containers: [{ name: 'c', image: 'app:2' }] } };
  await cluster.client.patch(pods, key('image'), { type: 'strategic', body }, never);
  await cluster.client.remove(pods, key('leaves'), never);
  await step(30_000);
}

type Life = {
  readonly ends: readonly string[];
  readonly broken: readonly string[];
  readonly isDead: boolean;
};

/** Runs the story with a process that is killed once; another one continues. */
async function live(writes: number, how: How): Promise<Life> {
  await using cluster = await openNodes({ nodes: 2, profile: 'fast' });
  const killedProcess = new KilledProcess(cluster.client, how);
  await cluster.restart({ client: killedProcess.client, report: () => undefined });
  killedProcess.dieAt(writes);
  let isReplaced = false;
  const step = async (span: number): Promise<void> => {
    for (let left = span; left > 0; left -= 250) {
      await cluster.pass(250, 250);
      if (!killedProcess.isDead || isReplaced) continue;
      isReplaced = true;
      await cluster.restart();
    }
  };
  await act(cluster, step);
  const listed = await cluster.client.list(pods, { namespace: 'default' }, never);
  if (listed.type !== 'ok') throw new Error(listed.message);
  const ends = listed.items.map((pod) => `${nameOf(pod)} ${summary(pod)}`);
  return { ends, broken: historyViolations(cluster.commits), isDead: killedProcess.isDead };
}

const expected = [
  'crash Running c:running#2 +ready',
  'ends Succeeded c:exit0#0 -ready',
  'image Running c:running#1 +ready',
  'init Running i:exit0#0 c:running#0 +ready',
  'plain Running c:running#0 +ready',
  'slow Running c:running#0 +ready',
];

test.for(['before the write', 'after the write'] as const)(
  'killed %s, whichever it is, every pod ends where it would have ended',
  { timeout: 120_000 },
  async (how) => {
    let deaths = 0;
    for (let writes = 1; ; writes += 1) {
      const life = await live(writes, how);
      expect({ writes, ends: life.ends, broken: life.broken }).toEqual({
        writes,
        ends: expected,
        broken: [],
      });
      if (!life.isDead) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(40);
  },
);
