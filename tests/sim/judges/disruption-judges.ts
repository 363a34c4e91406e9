import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ClientCall } from '../faults/around-client.ts';
import type { ServerChange } from '../sim-server.ts';
import { ClaimJudge } from './claim-judge.ts';
import { DeletionJudge, type DeletionsGiven } from './deletion-judge.ts';
import { ForceJudge } from './force-judge.ts';
import { OnDeleteJudge, type OnDeleteGiven } from './on-delete-judge.ts';

export type DisruptionsGiven = OnDeleteGiven & DeletionsGiven;

/** Rules about pods that users, nodes and deletions of workloads take away. */
export class DisruptionJudges {
  readonly claims = new ClaimJudge();
  readonly #onDelete: OnDeleteJudge;
  readonly #force = new ForceJudge();
  readonly #deletions: DeletionJudge;

  constructor(given: DisruptionsGiven) {
    this.#onDelete = new OnDeleteJudge(given);
    this.#deletions = new DeletionJudge(given);
  }

  get complaints(): readonly string[] {
    return this.#all.flatMap(({ complaints }) => complaints);
  }

  get judged(): Readonly<Record<string, number>> {
    return Object.assign({}, ...this.#all.map(({ judged }) => judged)) as Readonly<Record<string, number>>;
  }

  get #all() {
    return [this.claims, this.#onDelete, this.#force, this.#deletions] as const;
  }

  /** `latest`: the latest time that a clock of a controller may show. */
  see(change: ServerChange, now: Instant, latest: Instant): void {
    this.claims.see(change, now);
    this.#onDelete.see(change, now);
    this.#force.see(change, now);
    this.#deletions.see(change, { now, latest });
  }

  removed(call: ClientCall, pod: KubeObject | undefined, now: Instant): void {
    this.#force.removed(call, pod, now);
  }

  calm(until: Instant): void {
    this.claims.calm(until);
    this.#onDelete.calm(until);
  }
}
