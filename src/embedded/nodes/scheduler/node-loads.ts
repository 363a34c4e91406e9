import { equalJson, objectAt, textAt } from '#base/json.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import { minus, nothing, plus, podNeeds, type Amounts } from './amounts.ts';
import { PodCounts } from './pod-counts.ts';
import type { Load } from './choose.ts';
import { hostPortsOf, type HostPort } from './host-ports.ts';
import { podTerm, type PodTerm } from './pod-term.ts';
import { AntiAffinityTerms } from './anti-affinity-terms.ts';

type Entry = {
  readonly node: string;
  readonly needs: Amounts;
  readonly ports: readonly HostPort[];
  pod: KubeObject;
};

/** What a change of a pod means for pods that wait: resources became free, or only affinity may differ. */
export type LoadChange = 'freed' | 'changed' | 'same';

type LabelsOfNamespace = (namespace: string) => Readonly<Record<string, string>>;

/** Which pods are on which node, the ones just bound included. */
export class NodeLoads {
  readonly loads = new Map<string, Load>();
  readonly counts = new PodCounts(() => this.#entries.values());
  readonly antiAffinity: AntiAffinityTerms;
  readonly #entries = new Map<string, Entry>();
  readonly #labelsOfNamespace: LabelsOfNamespace;

  constructor(labelsOfNamespace: LabelsOfNamespace = () => ({})) {
    this.#labelsOfNamespace = labelsOfNamespace;
    this.antiAffinity = new AntiAffinityTerms((pod, term) => this.termOf(pod, term));
  }

  termOf(pod: KubeObject, term: KubeObject): PodTerm {
    return podTerm(pod, term, this.#labelsOfNamespace);
  }

  has(pod: KubeObject): boolean {
    return this.#entries.has(uidOf(pod));
  }

  /** Stores the node of a pod. Finished pods take no resources. */
  note(pod: KubeObject): LoadChange {
    const node = textAt(pod, 'spec', 'nodeName') ?? '';
    const phase = textAt(pod, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') return this.forget(pod) ? 'freed' : 'same';
    if (node === '') return 'same';
    const entry = this.#entries.get(uidOf(pod));
    if (entry !== undefined) return this.#renew(entry, pod);
    this.assign(pod, node);
    return 'changed';
  }

  /** Stores a pod before the informer shows its binding. */
  assign(pod: KubeObject, node: string): void {
    const uid = uidOf(pod);
    if (this.#entries.has(uid)) return;
    const needs = podNeeds(pod);
    const ports = hostPortsOf(pod);
    const entry = { node, needs, ports, pod };
    this.#entries.set(uid, entry);
    const load = this.loads.get(node);
    this.loads.set(node, {
      requested: plus(load?.requested ?? nothing, needs),
      pods: (load?.pods ?? 0) + 1,
      ports: ports.length === 0 ? (load?.ports ?? ports) : [...(load?.ports ?? []), ...ports],
    });
    this.counts.add(entry);
    this.antiAffinity.add(entry);
  }

  /** True when the pod had taken resources. */
  forget(pod: KubeObject): boolean {
    const uid = uidOf(pod);
    const entry = this.#entries.get(uid);
    if (entry === undefined) return false;
    this.#entries.delete(uid);
    this.counts.remove(entry);
    this.antiAffinity.remove(entry);
    const load = this.loads.get(entry.node);
    if (load === undefined) return true;
    if (load.pods <= 1) this.loads.delete(entry.node);
    else {
      const ports =
        entry.ports.length === 0 ? load.ports : load.ports.filter((each) => !entry.ports.includes(each));
      this.loads.set(entry.node, {
        requested: minus(load.requested, entry.needs),
        pods: load.pods - 1,
        ports,
      });
    }
    return true;
  }

  /** Labels change, and pods that are being deleted do not count for spread. */
  #renew(entry: Entry, pod: KubeObject): LoadChange {
    const { node, pod: old } = entry;
    entry.pod = pod;
    if (!this.counts.isAsked) return 'same';
    const isSame =
      isDeleting(old) === isDeleting(pod) &&
      equalJson(objectAt(old, 'metadata', 'labels'), objectAt(pod, 'metadata', 'labels'));
    if (isSame) return 'same';
    this.counts.remove({ pod: old, node });
    this.counts.add({ pod, node });
    return 'changed';
  }
}
