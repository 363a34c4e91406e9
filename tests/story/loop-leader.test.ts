import { expect, test } from 'vitest';
import { numberAt, textAt } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { later, millis, seconds } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { KubeObject } from '#kube/object.ts';
import { runLeaderElection } from '#loop/leader-election.ts';
import type { Term } from '#loop/lease-term.ts';
import { never, openLoopCluster, turn, type LoopCluster } from '../support/loop-cluster.ts';

const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
const lease = { namespace: 'kube-system', name: 'the-one' };

type Standing = {
  readonly terms: Term[];
  readonly reports: string[];
  /** Reasons for which terms ended. */
  readonly ends: string[];
  leads(): boolean;
  stop(): Promise<void>;
};

function stand(cluster: LoopCluster, identity: string, client: KubeClient = cluster.client): Standing {
  const terms: Term[] = [];
  const ends: string[] = [];
  const reports: string[] = [];
  const stop = new AbortController();
  const running = runLeaderElection(
    {
      client,
      clock: cluster.clock,
      random: seededRandom(identity.length),
      lease,
      identity,
      report: (message) => void reports.push(message),
      lead: (term) =>
        new Promise((resolve) => {
          terms.push(term);
          term.signal.addEventListener('abort', () => {
            ends.push((term.signal.reason as Error).message);
            resolve();
          });
        }),
    },
    stop.signal,
  );
  return {
    terms,
    ends,
    reports,
    leads: () => terms.at(-1)?.isHeld() ?? false,
    stop: () => {
      stop.abort(new Error('stopped'));
      return running;
    },
  };
}

async function stored(cluster: LoopCluster): Promise<KubeObject> {
  const got = await cluster.client.get(leases, lease, never);
  if (got.type !== 'ok') throw new Error(got.message);
  return got.object;
}

test('one leads, keeps its lease by renewing, and gives it back when stopped', async () => {
  await using cluster = await openLoopCluster();
  const one = stand(cluster, 'one');
  await cluster.until(() => one.leads());
  const other = stand(cluster, 'other');
  for (let i = 0; i < 120; i += 1) {
    cluster.clock.advance(seconds(1));
    await turn();
    await turn();
    expect([one.leads(), other.leads()]).toEqual([true, false]);
  }
  const held = await stored(cluster);
  expect(held['spec']).toMatchObject({
    holderIdentity: 'one',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
  });
  expect(textAt(held, 'spec', 'renewTime')).not.toBe(textAt(held, 'spec', 'acquireTime'));
  await one.stop();
  expect(one.ends).toEqual(['stopped']);
  expect(textAt(await stored(cluster), 'spec', 'holderIdentity') ?? '').toBe('');
  const began = cluster.clock.now();
  await cluster.until(() => other.leads());
  expect(cluster.clock.now() - began).toBeLessThan(seconds(5));
  expect(other.terms[0]?.number).toBeGreaterThan(one.terms[0]?.number ?? 99);
  await other.stop();
});

test('one that cannot renew stops before anybody else begins', async () => {
  await using cluster = await openLoopCluster();
  const one = stand(cluster, 'one', cluster.frail);
  await cluster.until(() => one.leads());
  const other = stand(cluster, 'other');
  await turn();
  const began = cluster.clock.now();
  cluster.fail(100_000);
  let lost = 0;
  await cluster.until(() => {
    expect(one.leads() && other.leads()).toBe(false);
    if (!one.leads() && lost === 0) lost = cluster.clock.now() - began;
    return other.leads();
  }, seconds(0.5));
  expect(lost).toBeLessThanOrEqual(seconds(10));
  expect(cluster.clock.now() - began).toBeGreaterThan(seconds(12));
  expect(cluster.clock.now() - began).toBeLessThan(seconds(18));
  expect(one.ends).toEqual(['the lease may be lost']);
  expect(numberAt(await stored(cluster), 'spec', 'leaseTransitions')).toBe(1);
  await one.stop();
  await other.stop();
});

test('the fence falls by the clock even while a renewal is on its way', async () => {
  await using cluster = await openLoopCluster();
  let isHanging = false;
  const hanging: KubeClient = {
    ...cluster.client,
    update: (...given) => (isHanging ? new Promise(() => undefined) : cluster.client.update(...given)),
  };
  const one = stand(cluster, 'one', hanging);
  await cluster.until(() => one.leads());
  isHanging = true;
  const before = cluster.clock.now();
  await cluster.until(() => one.ends.length === 1, seconds(0.5));
  expect(cluster.clock.now() - before).toBeLessThanOrEqual(seconds(10));
  expect(one.terms[0]?.isHeld()).toBe(false);
});

test('a machine that slept does not believe it still leads, though its timers have not rung', async () => {
  await using cluster = await openLoopCluster();
  let slept = 0;
  const { clock } = cluster;
  const dozing = { ...clock, now: () => later(clock.now(), millis(slept)) };
  const one = stand({ ...cluster, clock: dozing }, 'one');
  await cluster.until(() => one.leads());
  slept = 5_000;
  expect(one.leads()).toBe(true);
  slept = 10_000;
  expect(one.leads()).toBe(false);
  await one.stop();
});

test('a lease whose last renewal was not answered is given back all the same', async () => {
  await using cluster = await openLoopCluster();
  let isLost = false;
  const one = stand(
    cluster,
    'one',
    troubled(cluster.client, () => (isLost ? 'answer' : 'none')),
  );
  await cluster.until(() => one.leads());
  isLost = true;
  cluster.clock.advance(seconds(2));
  for (let i = 0; i < 5; i += 1) await turn();
  isLost = false;
  await one.stop();
  expect(textAt(await stored(cluster), 'spec', 'holderIdentity') ?? '').toBe('');
});

test('a leader whose lease is held by another stops at once', async () => {
  await using cluster = await openLoopCluster();
  const one = stand(cluster, 'one');
  await cluster.until(() => one.leads());
  const spec = { holderIdentity: 'thief', leaseDurationSeconds: 3600 };
  await cluster.client.patch(leases, lease, { type: 'merge', body: { spec } }, never);
  const began = cluster.clock.now();
  await cluster.until(() => one.ends.length === 1);
  expect(one.ends).toEqual(['another process is the leader']);
  expect(cluster.clock.now() - began).toBeLessThanOrEqual(seconds(3));
  await one.stop();
  expect(textAt(await stored(cluster), 'spec', 'holderIdentity')).toBe('thief');
});

test('a restart under the old name does not wait, and has a new term', async () => {
  await using cluster = await openLoopCluster();
  const before = stand(cluster, 'one', cluster.frail);
  await cluster.until(() => before.leads());
  cluster.fail(100_000);
  const after = stand(cluster, 'one');
  await cluster.until(() => after.leads());
  expect([before.terms[0]?.number, after.terms[0]?.number]).toEqual([0, 1]);
  await before.stop();
  await after.stop();
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
  const { get, create, update } = client;
  return { ...client, get: suffer(get), create: suffer(create), update: suffer(update) };
}

test.for([0, 1, 2, 3])('of many candidates never two lead at a time: chance %d', async (seed) => {
  await using cluster = await openLoopCluster();
  const random = seededRandom(seed);
  const troubles: ('none' | 'request' | 'answer')[] = ['none', 'none', 'none', 'none'];
  const all = troubles.map((_, i) =>
    stand(
      cluster,
      `candidate-${'i'.repeat(i)}`,
      troubled(cluster.client, () => troubles[i] ?? 'none'),
    ),
  );
  for (let i = 0; i < 600; i += 1) {
    const which = Math.floor(random.next() * 4);
    if (random.next() < 0.1) troubles[which] = random.next() < 0.5 ? 'request' : 'answer';
    if (random.next() < 0.2) troubles[Math.floor(random.next() * 4)] = 'none';
    cluster.clock.advance(seconds(random.next() * 2));
    for (let j = 0; j < 3; j += 1) await turn();
    expect(all.filter((each) => each.leads()).length).toBeLessThanOrEqual(1);
  }
  troubles.fill('none');
  await Promise.all(all.map((each) => each.stop()));
  const numbers = all.flatMap((each) => each.terms.map((term) => term.number));
  expect(numbers.length).toBeGreaterThan(3);
  expect(new Set(numbers).size).toBe(numbers.length);
});

/** The cluster's clock, with two hands that a test moves without a timer ringing, as after a suspension. */
function twoClocks(cluster: LoopCluster) {
  const moved = { now: 0, steady: 0 };
  const { clock } = cluster;
  const both = {
    ...clock,
    now: () => later(clock.now(), millis(moved.now)),
    steady: () => clock.now() + moved.steady,
  };
  return { moved, cluster: Object.assign(Object.create(cluster) as LoopCluster, { clock: both }) };
}

test.for([
  ['the machine was suspended and its steady clock stood', { now: 11_000, steady: 0 }],
  ['the machine was suspended and the set clock was put back', { now: -3_600_000, steady: 11_000 }],
  ['the set clock was put forward', { now: 3_600_000, steady: 0 }],
] as const)('a leader writes nothing, before any timer rings, when %s', async ([, by]) => {
  await using cluster = await openLoopCluster();
  const { moved, cluster: ours } = twoClocks(cluster);
  const one = stand(ours, 'one');
  await cluster.until(() => one.leads());
  const [term] = one.terms;
  expect(term?.mayWrite()).toBe(true);
  Object.assign(moved, by);
  expect(term?.signal.aborted).toBe(false);
  expect({ mayWrite: term?.mayWrite(), isHeld: term?.isHeld() }).toEqual({ mayWrite: false, isHeld: false });
  await one.stop();
});

test('a leader writes on when the set clock was put back and the lease is fresh', async () => {
  await using cluster = await openLoopCluster();
  const { moved, cluster: ours } = twoClocks(cluster);
  const one = stand(ours, 'one');
  await cluster.until(() => one.leads());
  Object.assign(moved, { now: -3_600_000, steady: 3000 });
  expect(one.terms[0]?.mayWrite()).toBe(true);
  await one.stop();
});

test('that a process leads is information, not a warning', async () => {
  await using cluster = await openLoopCluster();
  const heard: string[] = [];
  const stop = new AbortController();
  const running = runLeaderElection(
    {
      client: cluster.client,
      clock: cluster.clock,
      random: seededRandom(1),
      lease,
      identity: 'one',
      report: (message, _fields, level) => void heard.push(`${level}: ${message}`),
      lead: async () => stop.abort(new Error('stopped')),
    },
    stop.signal,
  );
  await cluster.until(() => stop.signal.aborted);
  await running;
  expect(heard).toEqual(['info: this process is the leader']);
});

test('a leader whose work does not end in time writes nothing more, and its lease is released all the same', async () => {
  await using cluster = await openLoopCluster();
  const ended = Promise.withResolvers<void>();
  const terms: Term[] = [];
  const stop = new AbortController();
  const running = runLeaderElection(
    {
      client: cluster.client,
      clock: cluster.clock,
      random: seededRandom(1),
      lease,
      identity: 'slow',
      lead: (term) => {
        terms.push(term);
        return ended.promise;
      },
    },
    stop.signal,
  );
  await cluster.until(() => terms.length === 1);
  stop.abort(new Error('stopped'));
  await turn();
  expect(terms[0]?.mayWrite()).toBe(true);
  cluster.clock.advance(millis(600));
  for (let i = 0; i < 5; i += 1) await turn();
  expect(terms[0]?.mayWrite()).toBe(false);
  expect(textAt(await stored(cluster), 'spec', 'holderIdentity') ?? '').toBe('');
  const other = stand(cluster, 'other');
  const began = cluster.clock.now();
  await cluster.until(() => other.leads(), millis(100));
  expect(cluster.clock.now() - began).toBeLessThan(seconds(1));
  ended.resolve();
  await running;
  await other.stop();
});

test('a process that waits leads less than 0.7 s after the lease is released', async () => {
  await using cluster = await openLoopCluster();
  const one = stand(cluster, 'one');
  await cluster.until(() => one.leads());
  const other = stand(cluster, 'other');
  await turn();
  await one.stop();
  const began = cluster.clock.now();
  await cluster.until(() => other.leads(), millis(50));
  expect(cluster.clock.now() - began).toBeLessThan(700);
  await other.stop();
});
