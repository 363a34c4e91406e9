import type { Note } from '#loop/note.ts';
import type { PodFacts } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';
import type { NodeFit } from './node-fit.ts';

/** A pod of the set on its node. */
export type Daemon = { readonly pod: KubeObject; readonly facts: PodFacts; readonly isNew: boolean };
export type NodeView = { readonly node: string; readonly fit: NodeFit; readonly daemons: readonly Daemon[] };

export type WantedDaemons = {
  readonly set: KubeObject;
  readonly minReadySeconds: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
};

/** What a pass has decided so far. */
export class DaemonPlan {
  readonly nodes: string[] = [];
  readonly remove: KubeObject[] = [];
  readonly notes: Note[] = [];

  isEmpty(): boolean {
    return this.nodes.length === 0 && this.remove.length === 0;
  }

  drop({ pod, facts }: Daemon, note?: Note): void {
    if (facts.isDeleting) return;
    this.remove.push(pod);
    if (note !== undefined) this.notes.push(note);
  }
}
