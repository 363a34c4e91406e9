import type { Random } from '#base/random.ts';
import { millis, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Fence } from '#loop/lease-fence.ts';
import { LeaseHolder, leases } from '#loop/lease-holder.ts';
import {
  askLease,
  checkedSpans,
  lookPeriod,
  serveTerm,
  type LeaseSpans,
  type Term,
} from '#loop/lease-term.ts';
import { reasonOf, reportNothing, type Report } from '#loop/report.ts';
import { startSilenceTimeout } from '#loop/silence-timeout.ts';
import { LayoutMember } from './layout-member.ts';
import { planShards } from './plan-shards.ts';
import { makeShard, shardLeaseLabel, shardLeaseName, type Shard } from './shard.ts';

export type RunShardsDeps = LeaseSpans & {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  /** The Lease that a single leader would hold; those of the shards have names that begin like its name. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Each replica needs its own. */
  readonly identity: string;
  /** How many shards there are. */
  readonly shards: number;
  /** Runs while this replica holds a shard. It must end soon after the signal of the term aborts. */
  lead(shard: Shard, term: Term): Promise<void>;
};

/** A Lease of this replica was lost, so what it does may be done by another one. */
export class ShardsLost extends Error {}

/**
 * Holds a fair share of the shards until the signal aborts, then releases them. Rejects with `ShardsLost` when a Lease
 * is lost: the process should end then.
 */
export async function runShards(deps: RunShardsDeps, signal: AbortSignal): Promise<void> {
  const runner = new ShardRunner(deps);
  await runner.run(signal);
}

type Held = { readonly stop: AbortController; readonly ended: Promise<void> };

class ShardRunner {
  readonly #deps: RunShardsDeps;
  readonly #report: Report;
  readonly #spans: Required<LeaseSpans>;
  readonly #layout: LayoutMember;
  readonly #holders: readonly LeaseHolder[];
  readonly #held = new Map<number, Held>();
  readonly #lost = new AbortController();

  constructor(deps: RunShardsDeps) {
    const { client, clock, lease, identity, shards } = deps;
    this.#deps = deps;
    this.#report = deps.report ?? reportNothing;
    this.#spans = checkedSpans(deps);
    const { leaseDuration: duration, retryPeriod: period } = this.#spans;
    this.#layout = new LayoutMember({
      client,
      clock,
      lease,
      identity,
      shards,
      duration,
      period,
      report: this.#report,
      deadline: this.#spans.renewDeadline,
      lost: (why) => this.#lost.abort(why),
    });
    this.#holders = Array.from({ length: shards }, (_, index) => {
      const name = shardLeaseName(lease.name, { index, count: shards });
      const labels = { [shardLeaseLabel]: lease.name };
      const own = { client, clock, identity, labels, lease: { namespace: lease.namespace, name } };
      return new LeaseHolder(own, duration);
    });
  }

  async run(stopped: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stopped, this.#lost.signal]);
    const { clock, random } = this.#deps;
    while (!signal.aborted) {
      const isFine = await this.#round(signal);
      const { retryPeriod } = this.#spans;
      const span = isFine ? Math.min(lookPeriod, retryPeriod) : retryPeriod;
      // Jitter, so that the replicas do not all write at once.
      await clock.sleep(millis(span * (1 + random.next() / 5)), signal).catch(() => undefined);
    }
    await this.#leave(signal.reason);
    if (!stopped.aborted) throw new ShardsLost(reasonOf(this.#lost.signal.reason));
  }

  /** Returns whether the server answered as it should. */
  async #round(signal: AbortSignal): Promise<boolean> {
    // Half of it, so that a request without an answer can be repeated in time.
    const span = millis(this.#spans.renewDeadline / 2);
    const timeout = startSilenceTimeout(
      this.#deps.clock,
      span,
      signal,
      'The request for the leases timed out.',
    );
    try {
      const listed = await this.#list(timeout.signal);
      if (listed === undefined) return false;
      for (const [index, holder] of this.#holders.entries()) {
        const found = listed.get(this.#nameOf(index));
        if (found !== undefined) holder.see(found);
      }
      const isFine = await this.#layout.renew([...listed.values()], timeout.signal);
      const { fence } = this.#layout;
      if (fence !== undefined) await this.#follow(fence, timeout.signal);
      return isFine;
    } catch (error) {
      if (!signal.aborted) this.#report('a lease could not be requested', { why: reasonOf(error) }, 'warn');
      return false;
    } finally {
      timeout.stop();
    }
  }

  async #list(signal: AbortSignal): Promise<ReadonlyMap<string, KubeObject> | undefined> {
    const { client, lease } = this.#deps;
    const labelSelector = `${shardLeaseLabel}=${lease.name}`;
    const listed = await client.list(leases, { namespace: lease.namespace, labelSelector }, signal);
    if (listed.type === 'ok') return new Map(listed.items.map((each) => [nameOf(each), each]));
    this.#report('leases cannot be listed', { why: listed.message }, 'warn');
    return undefined;
  }

  /** Takes and gives up shards as the plan has it. */
  async #follow(fence: Fence, signal: AbortSignal): Promise<void> {
    const seen = this.#holders.map(({ state }) => state);
    const expired = new Set(seen.filter(({ isFree }) => isFree).map(({ holder }) => holder));
    const { identity: me } = this.#deps;
    // One that lets a Lease expire has crashed.
    const replicas = this.#layout.replicas.filter((each) => each === me || !expired.has(each));
    const plan = planShards({ me, replicas, shards: seen });
    for (const index of plan.giveUp)
      this.#held.get(index)?.stop.abort(new Error('another replica takes the shard'));
    await Promise.all(
      plan.take.filter((index) => !this.#held.has(index)).map((index) => this.#take(index, fence, signal)),
    );
  }

  async #take(index: number, layout: Fence, signal: AbortSignal): Promise<void> {
    const holder = this.#holders[index];
    if (holder === undefined) return;
    const term = { clock: this.#deps.clock, holder, report: this.#report, spans: this.#spans };
    const holding = await askLease(term, 'take', signal);
    if (holding.type !== 'held') return;
    const stop = new AbortController();
    const about = { lease: this.#nameOf(index), shard: index, shards: this.#deps.shards };
    const shard = makeShard(index, this.#deps.shards);
    const served = {
      ...term,
      begun: ({ number }: Term) =>
        this.#report('this process holds a shard', { ...about, term: number }, 'info'),
      lead: (own: Term) => this.#deps.lead(shard, withLayout(own, layout)),
    };
    const serve = async (): Promise<void> => {
      const why = await serveTerm(served, holding, stop.signal);
      this.#held.delete(index);
      this.#report('this process holds a shard no more', { ...about, why: reasonOf(why) }, 'info');
      if (!stop.signal.aborted) this.#lost.abort(why);
    };
    this.#held.set(index, { stop, ended: serve() });
  }

  async #leave(reason: unknown): Promise<void> {
    for (const { stop } of this.#held.values()) stop.abort(reason);
    await this.#layout.leave(false);
    await Promise.all([...this.#held.values()].map(({ ended }) => ended));
    await this.#layout.leave(true);
  }

  #nameOf(index: number): string {
    return shardLeaseName(this.#deps.lease.name, { index, count: this.#deps.shards });
  }
}

/** Nothing is written in a shard unless its Lease and that of the layout are held. */
const withLayout = (term: Term, layout: Fence): Term => ({
  signal: term.signal,
  number: term.number,
  isHeld: () => term.isHeld() && layout.isHeld(),
  mayWrite: () => term.mayWrite() && layout.isOurs(),
});
