import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { later, millis, seconds } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf } from '#kube/object.ts';
import { runLeaderElection } from '#loop/leader-election.ts';
import { leases } from '#loop/lease-holder.ts';
import type { Term } from '#loop/lease-term.ts';
import { runShards } from '#loop/shards/run-shards.ts';
import { never, openLoopCluster, turn, type LoopCluster } from '../support/loop-cluster.ts';

const lease = { namespace: 'kube-system', name: 'the-one' };

type Part = {
  /** Shards that it may write at this moment. */
  held(): readonly number[];
  readonly reports: string[];
  /** Why it ended, when it lost a Lease. */
  lost(): string | undefined;
  stop(): Promise<void>;
};

type PartOptions = { readonly shards?: number; readonly client?: KubeClient };

function part(cluster: LoopCluster, identity: string, options: PartOptions = {}): Part {
  const { shards = 4, client = cluster.client } = options;
  const terms = new Map<number, Term>();
  const reports: string[] = [];
  const stop = new AbortController();
  let lost: string | undefined;
  const running = runShards(
    {
      client,
      clock: cluster.clock,
      random: seededRandom(identity.length),
      lease,
      identity,
      shards,
      report: (message) => void reports.push(message),
      lead: (shard, term) =>
        new Promise((resolve) => {
          terms.set(shard.index, term);
          term.signal.addEventListener('abort', () => resolve());
        }),
    },
    stop.signal,
  ).catch((error: unknown) => void (lost = String(error)));
  return {
    held: () => [...terms].flatMap(([index, term]) => (term.mayWrite() ? [index] : [])),
    reports,
    lost: () => lost,
    stop: () => {
      stop.abort(new Error('stopped'));
      return running;
    },
  };
}

/** Ends them all, while time passes. */
async function stopAll(cluster: LoopCluster, parts: readonly Part[]): Promise<void> {
  let isDone = false;
  const all = Promise.all(parts.map((each) => each.stop())).then(() => (isDone = true));
  await cluster.until(() => isDone, millis(100));
  await all;
}

const sizes = (...parts: readonly Part[]): readonly number[] => parts.map((each) => each.held().length);
const isEven = (...parts: readonly Part[]): boolean =>
  sizes(...parts)
    .toSorted((one, other) => one - other)
    .join() === '1,1,2';

/** Moves time until something is true, and looks at every moment that no shard is in two hands. */
async function watchUntil(
  cluster: LoopCluster,
  parts: readonly Part[],
  isTrue: () => boolean,
): Promise<number> {
  const began = cluster.clock.now();
  await cluster.until(() => {
    const all = parts.flatMap((each) => each.held());
    expect(new Set(all).size, `held: ${parts.map((each) => each.held().join(' ')).join(', ')}`).toBe(
      all.length,
    );
    return isTrue();
  }, millis(100));
  return cluster.clock.now() - began;
}

test('replicas share the shards, a new one gets its part, and one that stops hands over within a second', async () => {
  await using cluster = await openLoopCluster();
  const one = part(cluster, 'one');
  await watchUntil(cluster, [one], () => one.held().length === 4);
  const other = part(cluster, 'other');
  await watchUntil(cluster, [one, other], () => sizes(one, other).join() === '2,2');
  const third = part(cluster, 'third-one');
  const all = [one, other, third];
  await watchUntil(cluster, all, () => isEven(...all));
  const settledAt = all.map((each) => each.reports.length);
  await watchUntil(cluster, all, () => cluster.clock.now() % 60_000 === 0);
  expect(
    all.map((each) => each.reports.length),
    'nothing moves any more',
  ).toEqual(settledAt);
  const stopping = one.stop();
  const span = await watchUntil(cluster, all, () => sizes(other, third).join() === '2,2');
  expect(span).toBeLessThanOrEqual(seconds(1));
  await stopping;
  await stopAll(cluster, [other, third]);
  const left = await cluster.client.list(leases, { namespace: lease.namespace }, never);
  if (left.type !== 'ok') throw new Error(left.message);
  expect(
    left.items.map((each) => `${nameOf(each)} ${textAt(each, 'spec', 'holderIdentity') ?? ''}`.trim()),
  ).toEqual(['the-one', ...[0, 1, 2, 3].map((index) => `the-one-shard-${index}-of-4`)]);
});

test('two that start together take half each at once', async () => {
  await using cluster = await openLoopCluster();
  const parts = [part(cluster, 'one'), part(cluster, 'other')];
  await watchUntil(cluster, parts, () => sizes(...parts).join() === '2,2');
  expect(
    parts.flatMap((each) => each.reports).filter((each) => each.includes('no more')).length,
  ).toBeLessThan(3);
  await stopAll(cluster, parts);
});

test('the shards of a replica that crashes are taken over in less than 17 s, and never before it stopped', async () => {
  await using cluster = await openLoopCluster();
  const one = part(cluster, 'one', { client: cluster.frail });
  const other = part(cluster, 'other');
  const both = [one, other];
  await watchUntil(cluster, both, () => sizes(...both).join() === '2,2');
  cluster.fail(1_000_000);
  const span = await watchUntil(cluster, both, () => other.held().length === 4);
  expect(span).toBeGreaterThan(seconds(10));
  expect(span).toBeLessThan(seconds(17));
  expect(one.lost()).toMatch('the lease may be lost');
  await stopAll(cluster, [other]);
});

/** A client that loses requests, or their answers, while `trouble` is set. */
function troubled(client: KubeClient, trouble: () => 'none' | 'request' | 'answer'): KubeClient {
  const suffer =
    <Given extends readonly unknown[], Answer>(verb: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (trouble() === 'request') throw new Unavailable('lost on the way');
      const answer = await verb(...given);
      if (trouble() === 'answer') throw new Unavailable('lost on the way back');
      return answer;
    };
  const { get, list, create, update } = client;
  return { ...client, get: suffer(get), list: suffer(list), create: suffer(create), update: suffer(update) };
}

test.for([0, 1, 2])('whatever is lost, no shard is in two hands: chance %d', async (seed) => {
  await using cluster = await openLoopCluster();
  const random = seededRandom(seed);
  const troubles: ('none' | 'request' | 'answer')[] = ['none', 'none', 'none'];
  const start = (at: number, life: number): Part =>
    part(cluster, `replica-${at}-${life}`, {
      client: troubled(cluster.client, () => troubles[at] ?? 'none'),
    });
  const parts = troubles.map((_, at) => start(at, 0));
  const gone: Part[] = [];
  let lives = 1;
  for (let i = 0; i < 250; i += 1) {
    if (random.next() < 0.1)
      troubles[Math.floor(random.next() * 3)] = random.next() < 0.5 ? 'request' : 'answer';
    if (random.next() < 0.2) troubles[Math.floor(random.next() * 3)] = 'none';
    cluster.clock.advance(seconds(random.next() * 2));
    for (let j = 0; j < 6; j += 1) await turn();
    // A process that has lost a Lease ends and is started again.
    for (const [at, each] of parts.entries())
      if (each.lost() !== undefined) {
        gone.push(each);
        parts[at] = start(at, lives++);
      }
    const held = [...parts, ...gone].flatMap((each) => each.held());
    expect(new Set(held).size).toBe(held.length);
  }
  expect(lives).toBeGreaterThan(2);
  troubles.fill('none');
  await watchUntil(cluster, parts, () => isEven(...parts));
  await stopAll(cluster, parts);
});

test('replicas with another number of shards, and a leader without shards, wait for the last one of the old number', async () => {
  await using cluster = await openLoopCluster();
  const two = [part(cluster, 'one', { shards: 2 }), part(cluster, 'other', { shards: 2 })];
  await watchUntil(cluster, two, () => sizes(...two).join() === '1,1');
  const four = part(cluster, 'new', { shards: 4 });
  const stop = new AbortController();
  const terms: Term[] = [];
  const leading = runLeaderElection(
    {
      client: cluster.client,
      clock: cluster.clock,
      random: seededRandom(3),
      lease,
      identity: 'single',
      lead: (term) =>
        new Promise((resolve) => {
          terms.push(term);
          term.signal.addEventListener('abort', () => resolve());
        }),
    },
    stop.signal,
  );
  const isAnyNew = (): boolean => four.held().length > 0 || terms.some((term) => term.mayWrite());
  const isAnyOld = (): boolean => two.some((each) => each.held().length > 0);
  for (let i = 0; i < 300; i += 1) {
    cluster.clock.advance(millis(100));
    await turn();
    expect(isAnyNew()).toBe(false);
  }
  expect(four.reports).toContain('waiting for the lease');
  await stopAll(cluster, two.slice(0, 1));
  expect(isAnyNew()).toBe(false);
  const stopping = two[1]?.stop();
  await cluster.until(() => {
    expect(isAnyNew() && isAnyOld()).toBe(false);
    return isAnyNew();
  }, millis(100));
  await stopping;
  // One of the two goes on; the other one waits for it in turn.
  stop.abort(new Error('stopped'));
  await cluster.until(() => four.held().length === 4, millis(100));
  await leading;
  await stopAll(cluster, [four]);
});

/** A client that can renew the Leases of shards, but not the common one, once it is cut off. */
function withoutLayout({ client }: LoopCluster): { readonly client: KubeClient; cut(): void } {
  let isCut = false;
  const update: KubeClient['update'] = (resource, object, ...rest) =>
    isCut && nameOf(object) === lease.name
      ? Promise.reject(new Unavailable('lost on the way'))
      : client.update(resource, object, ...rest);
  return { client: { ...client, update }, cut: () => void (isCut = true) };
}

test('a replica whose common Lease is old writes nothing, though no timer has rung', async () => {
  await using cluster = await openLoopCluster();
  let slept = 0;
  const { clock } = cluster;
  const dozing = { ...clock, now: () => later(clock.now(), millis(slept)) };
  const way = withoutLayout(cluster);
  const one = part({ ...cluster, clock: dozing }, 'one', { client: way.client });
  await watchUntil(cluster, [one], () => one.held().length === 4);
  way.cut();
  for (let i = 0; i < 80; i += 1) {
    clock.advance(millis(100));
    await turn();
  }
  expect(one.held()).toHaveLength(4);
  slept = 3000;
  expect(one.held()).toEqual([]);
  await stopAll(cluster, [one]);
});

test('a replica that cannot renew the common Lease stops before another number of shards begins', async () => {
  await using cluster = await openLoopCluster();
  const way = withoutLayout(cluster);
  const old = part(cluster, 'old', { shards: 2, client: way.client });
  await watchUntil(cluster, [old], () => old.held().length === 2);
  const four = part(cluster, 'new', { shards: 4 });
  way.cut();
  const began = cluster.clock.now();
  let stopped = 0;
  await cluster.until(() => {
    if (old.held().length === 0 && stopped === 0) stopped = cluster.clock.now() - began;
    expect(old.held().length > 0 && four.held().length > 0).toBe(false);
    return four.held().length === 4;
  }, millis(100));
  expect(stopped).toBeLessThanOrEqual(seconds(10));
  expect(cluster.clock.now() - began).toBeGreaterThan(seconds(12));
  expect(old.lost()).toMatch('the lease may be lost');
  await stopAll(cluster, [four]);
});
