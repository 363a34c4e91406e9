import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { labelsOf, withMeta, type KubeObject } from '#kube/object.ts';
import { holderOf, isFree, released, renewed, seenAfter, taken, type SeenLease } from './lease.ts';
import { readingOf, type ClockReading } from './clock-reading.ts';
import { startSilenceTimeout } from './silence-timeout.ts';

export type LeaseDeps = {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  /** Labels that the lease gets when it is taken. */
  readonly labels?: Readonly<Record<string, string>>;
};

/** `since`: when the request that got it was sent, so the lease runs at least from then on. */
export type Holding =
  | { readonly type: 'held'; readonly since: ClockReading; readonly lease: KubeObject }
  | { readonly type: 'others' }
  | { readonly type: 'refused'; readonly why: string };

export const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};
const releasePatience = seconds(5);

const withLabels = (lease: KubeObject, labels: Readonly<Record<string, string>>): KubeObject =>
  withMeta(lease, { labels: { ...labelsOf(lease), ...labels } });

/** Takes, renews and releases one lease. Every write names the resourceVersion it replaces, so only one of two succeeds. */
export class LeaseHolder {
  readonly #deps: LeaseDeps;
  readonly #duration: Millis;
  #seen: SeenLease | undefined;
  /** Our own lease as we last wrote it. */
  #held: KubeObject | undefined;

  constructor(deps: LeaseDeps, duration: Millis) {
    this.#deps = deps;
    this.#duration = duration;
  }

  /** Takes note of the lease as somebody has just read it. */
  see(found: KubeObject): void {
    const now = this.#deps.clock.now();
    this.#seen = seenAfter(this.#seen, found, now, millis(this.#duration / 3));
  }

  /** Who holds the lease, as it was last seen, and whether it can be taken. */
  get state(): { readonly holder: string; readonly isFree: boolean } {
    const seen = this.#seen;
    if (seen === undefined) return { holder: '', isFree: true };
    return { holder: holderOf(seen.object), isFree: isFree(seen, this.#deps.clock.now()) };
  }

  /** Takes the lease if it is free. */
  async take(signal: AbortSignal): Promise<Holding> {
    const { client, clock, lease, identity, labels } = this.#deps;
    const found = await client.get(leases, lease, signal);
    const since = readingOf(clock);
    const hold = { identity, duration: this.#duration, now: since.now };
    if (found.type === 'not-found') {
      const metadata = { ...lease, ...(labels && { labels }) };
      const fresh = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
      return this.#hold(await client.create(leases, taken(fresh, hold), signal), since);
    }
    if (found.type !== 'ok') return { type: 'refused', why: found.message };
    this.#seen = seenAfter(this.#seen, found.object, since.now, millis(this.#duration / 3));
    // Our own lease that we do not know of: a response was lost, or this process was restarted.
    if (holderOf(found.object) !== identity && !isFree(this.#seen, since.now)) return { type: 'others' };
    const labelled = labels === undefined ? found.object : withLabels(found.object, labels);
    return this.#hold(await client.update(leases, taken(labelled, hold), signal), since);
  }

  /** Renews our lease. */
  async renew(signal: AbortSignal): Promise<Holding> {
    const { client, clock, identity, lease } = this.#deps;
    const since = readingOf(clock);
    const hold = { identity, duration: this.#duration, now: since.now };
    if (this.#held !== undefined) {
      const holding = this.#hold(await client.update(leases, renewed(this.#held, hold), signal), since);
      if (holding.type !== 'others') return holding;
    }
    // Another process wrote, or this one in a request whose response was lost.
    const found = await client.get(leases, lease, signal);
    if (found.type !== 'ok' || holderOf(found.object) !== identity) return { type: 'others' };
    return this.#hold(await client.update(leases, renewed(found.object, hold), signal), since);
  }

  /** Gives the lease back if it is still ours. */
  async release(): Promise<void> {
    const { client, clock, lease, identity } = this.#deps;
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    const never = new AbortController().signal;
    const timeout = startSilenceTimeout(
      clock,
      releasePatience,
      never,
      'The lease could not be released in time.',
    );
    try {
      const outcome = await client.update(leases, released(held, clock.now()), timeout.signal);
      if (outcome.type !== 'conflict') return;
      const found = await client.get(leases, lease, timeout.signal);
      if (found.type !== 'ok' || holderOf(found.object) !== identity) return;
      await client.update(leases, released(found.object, clock.now()), timeout.signal);
    } finally {
      timeout.stop();
    }
  }

  #hold(outcome: Outcome, since: ClockReading): Holding {
    if (outcome.type === 'ok') {
      this.#held = outcome.object;
      return { type: 'held', since, lease: outcome.object };
    }
    const isRace = outcome.type === 'conflict' || outcome.type === 'exists' || outcome.type === 'not-found';
    return isRace ? { type: 'others' } : { type: 'refused', why: outcome.message };
  }
}
