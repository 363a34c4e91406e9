import { numberAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { keyOf, splitKey } from '#loop/delta.ts';
import type { ServerChange } from '../sim-server.ts';

type Known = { readonly replicas: number; readonly until?: Instant };

/** The numbers of replicas of workloads that somebody may still know of, by the key of the workload. */
export class KnownReplicas {
  readonly #known = new Map<string, readonly Known[]>();

  see({ type, storage, object }: ServerChange, now: Instant): void {
    if (!storage.startsWith('tkex.tencent.com/game')) return;
    const workload = keyOf(object);
    const replicas = type === 'DELETED' ? 0 : (numberAt(object, 'spec', 'replicas') ?? 1);
    const known = this.#known.get(workload) ?? [];
    if (known.at(-1)?.replicas === replicas) return;
    this.#known.set(workload, [...known.map((each) => ({ until: now, ...each })), { replicas }]);
  }

  /** Everybody has seen what happened up to this time. */
  calm(until: Instant): void {
    for (const [workload, known] of this.#known)
      if (known.length > 1)
        this.#known.set(
          workload,
          known.filter((each) => each.until === undefined || each.until > until),
        );
  }

  readonly of = (workload: string): readonly number[] =>
    (this.#known.get(workload) ?? [{ replicas: 1 }]).map(({ replicas }) => replicas);

  /** The smallest number for all workloads of a namespace together, without some of them. */
  leastIn(namespace: string, isLeftOut: (workload: string) => boolean): number {
    return [...this.#known.keys()]
      .filter((workload) => splitKey(workload).namespace === namespace && !isLeftOut(workload))
      .reduce((sum, workload) => sum + Math.min(...this.of(workload)), 0);
  }
}
