import { millis, type Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { LeaseTaken, startFence, type Fence } from '#loop/lease-fence.ts';
import { reasonOf, type Report } from '#loop/report.ts';
import { startSilenceTimeout } from '#loop/silence-timeout.ts';
import { LayoutLease, type LayoutLeaseDeps } from './layout-lease.ts';

export type LayoutMemberDeps = LayoutLeaseDeps & {
  readonly report: Report;
  /** For how long the last renewal is trusted. */
  readonly deadline: Millis;
  /** Called when the Lease may be lost. */
  readonly lost: (why: unknown) => void;
};

const leavePatience = millis(5000);

/** The part of one replica in the Lease of a layout: waits for it, renews it, and leaves it. */
export class LayoutMember {
  readonly #deps: LayoutMemberDeps;
  readonly #lease: LayoutLease;
  /** Undefined before this replica belongs to the layout. */
  #fence: Fence | undefined;
  #isWaiting = false;

  constructor(deps: LayoutMemberDeps) {
    this.#deps = deps;
    this.#lease = new LayoutLease(deps);
  }

  get replicas(): readonly string[] {
    return this.#lease.replicas;
  }

  /** Set while this replica belongs to the layout. */
  get fence(): Fence | undefined {
    return this.#fence?.isHeld() === true ? this.#fence : undefined;
  }

  /** Takes or renews the Lease, or waits for it. Returns whether the server answered as it should. */
  async renew(listed: readonly KubeObject[], signal: AbortSignal): Promise<boolean> {
    const { lease, shards, report } = this.#deps;
    const renewal = await this.#lease.renew(listed, signal);
    switch (renewal.type) {
      case 'held':
        this.#fence ??= this.#startFence();
        this.#fence.renewed(renewal.since);
        return true;
      case 'others': {
        const { holder } = renewal;
        this.#fence?.end(new LeaseTaken(`${holder} holds the Lease ${lease.name}`));
        if (!this.#isWaiting) report('waiting for the lease', { ...lease, holder, shards }, 'info');
        this.#isWaiting = true;
        return true;
      }
      case 'refused':
        report('a lease was refused', { why: renewal.why }, 'warn');
        return false;
      case 'kept':
      case 'busy':
        return true;
    }
  }

  /** Takes this replica out of the list. `isDone`: it holds no shard any more. */
  async leave(isDone: boolean): Promise<void> {
    if (this.#fence?.isOurs() !== true) return;
    const { clock, report } = this.#deps;
    const never = new AbortController().signal;
    const timeout = startSilenceTimeout(clock, leavePatience, never, 'The lease could not be left in time.');
    try {
      await this.#lease.leave(isDone, timeout.signal);
    } catch (error) {
      report('a lease could not be released', { why: reasonOf(error) }, 'warn');
    } finally {
      timeout.stop();
    }
    if (isDone) this.#fence.stop();
  }

  #startFence(): Fence {
    const { clock, deadline, lost } = this.#deps;
    const fence = startFence(clock, deadline, new AbortController().signal);
    fence.signal.addEventListener('abort', () => lost(fence.signal.reason), { once: true });
    return fence;
  }
}
