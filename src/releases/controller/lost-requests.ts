import { nameOf, uidOf } from '#kube/object.ts';
import { LostPods } from './lost-pods.ts';
import { isShownAfter, isShownGone, LostWrites } from './lost-writes.ts';

/** Requests about pods and HookRuns of workloads whose answers were lost. */
export class LostRequests {
  /** Creations of pods. */
  readonly pods = new LostPods();
  /** Patches and deletions of pods. */
  readonly podWrites: LostWrites;
  /** Deletions of HookRuns. */
  readonly runDeletions: LostWrites;

  /** The informers of pods and HookRuns. */
  constructor({ pods, runs }: { readonly pods: Shown; readonly runs: Shown }) {
    this.podWrites = new LostWrites((pod) => isShownAfter(pods, pod));
    this.runDeletions = new LostWrites((run) => isShownGone(runs, run));
  }

  /** What tells those apart that are not settled. */
  idsOf(key: string): readonly string[] {
    const written = [...this.podWrites.of(key), ...this.runDeletions.of(key)];
    return [...written.map(uidOf), ...this.pods.unsought(key).map(nameOf)];
  }

  /** The workload is gone. */
  forget(key: string): void {
    for (const requests of [this.pods, this.podWrites, this.runDeletions]) requests.forget(key);
  }
}

type Shown = Parameters<typeof isShownGone>[0];
