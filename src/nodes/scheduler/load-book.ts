import { textAt } from '#base/json.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { minus, nothing, plus, podNeeds, type Amounts } from './amounts.ts';
import type { Load } from './choose.ts';

type Entry = { readonly node: string; readonly needs: Amounts };

/** Which pods are on which node, the ones just bound included. */
export class LoadBook {
  readonly loads = new Map<string, Load>();
  readonly #entries = new Map<string, Entry>();

  has(pod: KubeObject): boolean {
    return this.#entries.has(uidOf(pod));
  }

  /** Notes where a pod is. Pods that are done take no room. True when room became free. */
  note(pod: KubeObject): boolean {
    const node = textAt(pod, 'spec', 'nodeName') ?? '';
    const phase = textAt(pod, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') return this.forget(pod);
    if (node !== '') this.assign(pod, node);
    return false;
  }

  /** Notes a pod before the server shows it there. */
  assign(pod: KubeObject, node: string): void {
    const uid = uidOf(pod);
    if (this.#entries.has(uid)) return;
    const needs = podNeeds(pod);
    this.#entries.set(uid, { node, needs });
    const load = this.loads.get(node);
    this.loads.set(node, {
      requested: plus(load?.requested ?? nothing, needs),
      pods: (load?.pods ?? 0) + 1,
    });
  }

  /** True when the pod took room. */
  forget(pod: KubeObject): boolean {
    const uid = uidOf(pod);
    const entry = this.#entries.get(uid);
    if (entry === undefined) return false;
    this.#entries.delete(uid);
    const load = this.loads.get(entry.node);
    if (load === undefined) return true;
    if (load.pods <= 1) this.loads.delete(entry.node);
    else this.loads.set(entry.node, { requested: minus(load.requested, entry.needs), pods: load.pods - 1 });
    return true;
  }
}
