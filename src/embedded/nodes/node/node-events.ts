import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Recorders } from '#embedded/nodes/api/recorders.ts';

/** The kubelet's `Starting` event and those that follow it, in a kubelet's order. */
const arrival: readonly (readonly [string, (name: string) => string])[] = [
  ['Starting', () => 'Starting kubelet.'],
  ['NodeHasSufficientMemory', now('NodeHasSufficientMemory')],
  ['NodeHasNoDiskPressure', now('NodeHasNoDiskPressure')],
  ['NodeHasSufficientPID', now('NodeHasSufficientPID')],
  ['NodeAllocatableEnforced', () => 'Updated Node Allocatable limit across pods'],
];

/** Events about nodes, with the texts of a kubelet and of the node controller. */
export class NodeEvents {
  readonly #recorders: Recorders;
  readonly #recordRoutine: boolean;

  constructor(recorders: Recorders, recordRoutine: boolean) {
    this.#recorders = recorders;
    this.#recordRoutine = recordRoutine;
  }

  arrived(name: string): void {
    if (!this.#recordRoutine) return;
    for (const [reason, message] of arrival) this.#tell(name, reason, message(name));
  }

  ready(name: string): void {
    if (this.#recordRoutine) this.#tell(name, 'NodeReady', now('NodeReady')(name));
  }

  cordoned(name: string, isCordoned: boolean): void {
    const reason = isCordoned ? 'NodeNotSchedulable' : 'NodeSchedulable';
    this.#tell(name, reason, now(reason)(name));
  }

  registered(node: KubeObject): void {
    const name = nameOf(node);
    if (this.#recordRoutine)
      this.#control(node, 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`);
  }

  removed(node: KubeObject): void {
    const name = nameOf(node);
    this.#control(node, 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`);
  }

  lost(node: KubeObject): void {
    this.#control(node, 'NodeNotReady', now('NodeNotReady')(nameOf(node)));
  }

  /** A kubelet does not know its node's uid when it starts: it uses the name for it. */
  #tell(name: string, reason: string, message: string): void {
    const about = { kind: 'Node', metadata: { name, uid: name } };
    this.#recorders.record('kubelet', name, about, { type: 'Normal', reason, message });
  }

  #control(node: KubeObject, reason: string, message: string): void {
    this.#recorders.record('node-controller', undefined, node, { type: 'Normal', reason, message });
  }
}

function now(state: string): (name: string) => string {
  return (name) => `Node ${name} status is now: ${state}`;
}
