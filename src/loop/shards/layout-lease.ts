import { formatMicroTime, later, millis, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { labelsOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { readingOf, type ClockReading } from '#loop/clock-reading.ts';
import { leases } from '#loop/lease-holder.ts';
import {
  holderOf,
  isFree,
  released,
  renewed,
  seenAfter,
  seenSince,
  taken,
  type Sighting,
  type SeenLease,
} from '#loop/lease.ts';
import { layoutHolder, replicasOf, withReplicas } from './layout-record.ts';
import { shardLeaseLabel } from './shard.ts';

export type LayoutLeaseDeps = {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  /** The Lease that a single leader would hold. */
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  readonly shards: number;
  readonly duration: Millis;
  /** Between two renewals by this replica. */
  readonly period: Millis;
};

/** `kept`: nothing was due. `busy`: another replica wrote at the same moment. */
export type LayoutRenewal =
  | { readonly type: 'held'; readonly since: ClockReading }
  | { readonly type: 'others'; readonly holder: string }
  | { readonly type: 'kept' | 'busy' }
  | { readonly type: 'refused'; readonly why: string };

/** How often one write is tried when others write at the same moment. */
const mostTries = 8;

type SeenReplica = Sighting & { readonly stamp: string };

/**
 * The Lease that all replicas of one layout hold together: each of them renews it, under one holder. So neither a
 * leader without shards nor a replica with another number of shards can begin while one of them lives. The replicas
 * find each other in it.
 */
export class LayoutLease {
  readonly #deps: LayoutLeaseDeps;
  readonly #holder: string;
  #seen: SeenLease | undefined;
  /** The other replicas. */
  #others: ReadonlyMap<string, SeenReplica> = new Map();
  #written: Instant | undefined;

  constructor(deps: LayoutLeaseDeps) {
    this.#deps = deps;
    this.#holder = layoutHolder(deps.shards);
  }

  /** This replica, and those that have written within the duration of the Lease. */
  get replicas(): readonly string[] {
    const { clock, duration, identity } = this.#deps;
    const now = clock.now();
    const alive = [...this.#others].filter(([, { since }]) => now < later(since, duration));
    return [identity, ...alive.map(([name]) => name)].toSorted();
  }

  /** Takes or renews the Lease. `listed`: Leases that were just read; if it is not among them, it is read. */
  async renew(listed: readonly KubeObject[], signal: AbortSignal): Promise<LayoutRenewal> {
    let renewal = await this.#tryRenew(listed, signal);
    // Another replica was faster. At once, or the same one could be slower every time.
    for (let tries = 1; renewal.type === 'busy' && tries < mostTries; tries += 1)
      renewal = await this.#tryRenew([], signal);
    return renewal;
  }

  async #tryRenew(listed: readonly KubeObject[], signal: AbortSignal): Promise<LayoutRenewal> {
    const { client, clock, lease } = this.#deps;
    const found = await this.#read(listed, signal);
    const since = readingOf(clock);
    if (found.type === 'not-found') {
      const fresh = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease };
      return this.#held(await client.create(leases, this.#renewed(fresh, since.now), signal), since);
    }
    if (found.type !== 'ok') return { type: 'refused', why: found.message };
    const { object } = found;
    this.#look(object, since.now);
    const holder = holderOf(object);
    if (holder !== this.#holder && this.#seen !== undefined && !isFree(this.#seen, since.now))
      return { type: 'others', holder };
    if (!this.#isDue(object, since.now)) return { type: 'kept' };
    return this.#held(await client.update(leases, this.#renewed(object, since.now), signal), since);
  }

  /** Takes this replica out of the list. `isDone`: its shards are released; then the last one releases the Lease. */
  async leave(isDone: boolean, signal: AbortSignal): Promise<void> {
    const { client, clock, identity } = this.#deps;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const found = await this.#read([], signal);
      if (found.type !== 'ok' || holderOf(found.object) !== this.#holder) return;
      const now = clock.now();
      this.#look(found.object, now);
      const others = this.replicas.filter((each) => each !== identity);
      const left = withReplicas(found.object, stampsOf(found.object, others));
      const isLast = isDone && others.length === 0;
      const outcome = await client.update(leases, isLast ? released(left, now) : left, signal);
      if (outcome.type !== 'conflict') return;
    }
  }

  #isDue(object: KubeObject, now: Instant): boolean {
    const { identity, period } = this.#deps;
    if (holderOf(object) !== this.#holder || replicasOf(object)[identity] === undefined) return true;
    return this.#written === undefined || now < this.#written || now >= later(this.#written, period);
  }

  async #read(listed: readonly KubeObject[], signal: AbortSignal): Promise<Outcome> {
    const { client, lease } = this.#deps;
    const object = listed.find((each) => nameOf(each) === lease.name);
    return object === undefined ? client.get(leases, lease, signal) : { type: 'ok', object };
  }

  #look(object: KubeObject, now: Instant): void {
    const { duration, identity } = this.#deps;
    const mostGap = millis(duration / 3);
    this.#seen = seenAfter(this.#seen, object, now, mostGap);
    // Replicas of another layout, or of one that ended, are not ours.
    const stamps = holderOf(object) === this.#holder ? replicasOf(object) : {};
    this.#others = new Map(
      Object.entries(stamps)
        .filter(([name]) => name !== identity)
        .map(([name, stamp]) => {
          const known = this.#others.get(name);
          const before = known?.stamp === stamp ? known : undefined;
          return [name, { stamp, ...seenSince(before, now, mostGap) }];
        }),
    );
  }

  #renewed(object: KubeObject, now: Instant): KubeObject {
    const { duration, lease, identity } = this.#deps;
    const hold = { identity: this.#holder, duration, now };
    const held = holderOf(object) === this.#holder ? renewed(object, hold) : taken(object, hold);
    const labels = { ...labelsOf(object), [shardLeaseLabel]: lease.name };
    const stamps = { ...stampsOf(object, this.replicas), [identity]: formatMicroTime(now) };
    return withReplicas(withMeta(held, { labels }), stamps);
  }

  #held(outcome: Outcome, since: ClockReading): LayoutRenewal {
    if (outcome.type === 'ok') {
      this.#written = since.now;
      return { type: 'held', since };
    }
    const isRace = outcome.type === 'conflict' || outcome.type === 'exists' || outcome.type === 'not-found';
    return isRace ? { type: 'busy' } : { type: 'refused', why: outcome.message };
  }
}

/** What these replicas wrote last. */
function stampsOf(lease: KubeObject, names: readonly string[]): Readonly<Record<string, string>> {
  const stamps = replicasOf(lease);
  return Object.fromEntries(names.flatMap((name) => (name in stamps ? [[name, stamps[name] ?? '']] : [])));
}
