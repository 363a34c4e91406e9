import { isStaying } from '#releases/decide/pod-restart.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import type { Informer } from '#loop/informer.ts';
import { isOlder } from '#loop/versions.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { isShownAfter } from './lost-writes.ts';

type DisruptedPod =
  /** It will be taken out of service, or the server has not answered yet. */
  | { readonly type: 'planned'; readonly pod: KubeObject }
  /** The answer was lost. It may be out of service, or go out of service while it has the version that the write named. */
  | { readonly type: 'lost'; readonly pod: KubeObject }
  /** It is out of service since this version. */
  | { readonly type: 'written'; readonly pod: KubeObject; readonly version: string };

const byInformer = new WeakMap<object, DisruptedPods>();

/** GameDeployments and GameStatefulSets read the same informer of pods, so they know of each other's. */
export function disruptedPodsOf(pods: Pick<Informer, 'get'>): DisruptedPods {
  const disrupted = byInformer.get(pods) ?? new DisruptedPods(pods);
  byInformer.set(pods, disrupted);
  return disrupted;
}

/**
 * Pods that this process takes out of service in place, until the informer of pods shows them so. A new version of a
 * PodDisruptionBudget does not end that: its status may be older than the write.
 */
export class DisruptedPods {
  readonly #pods: Pick<Informer, 'get'>;
  /** By namespace and uid. */
  readonly #known = new Map<string, Map<string, DisruptedPod>>();

  constructor(pods: Pick<Informer, 'get'>) {
    this.#pods = pods;
  }

  /** Those of a namespace that the informer does not show yet. */
  unseen(namespace: string): readonly KubeObject[] {
    return this.#unseen(namespace).map(({ pod }) => pod);
  }

  plan(pod: KubeObject): void {
    if (this.#of(pod) === undefined) this.#put({ type: 'planned', pod });
  }

  /** The server has answered with the pod as it is out of service. */
  written(pod: KubeObject): void {
    if (this.#of(pod) !== undefined) this.#put({ type: 'written', pod, version: resourceVersionOf(pod) });
  }

  /** `pod`: with the version that the write named. */
  answerLost(pod: KubeObject): void {
    const type = this.#of(pod)?.type;
    if (type === 'planned' || type === 'lost') this.#put({ type: 'lost', pod });
  }

  /** What was planned, and is not written. */
  drop(pod: KubeObject): void {
    if (this.#of(pod)?.type === 'planned') this.#remove(pod);
  }

  /** The pod has changed since, so the server refuses the write whose answer was lost. */
  refused(pod: KubeObject): void {
    const known = this.#of(pod);
    if (known?.type === 'lost' && resourceVersionOf(known.pod) === resourceVersionOf(pod)) this.#remove(pod);
  }

  #unseen(namespace: string): readonly DisruptedPod[] {
    for (const each of this.#known.get(namespace)?.values() ?? [])
      if (this.#isShown(each)) this.#remove(each.pod);
    return [...(this.#known.get(namespace)?.values() ?? [])];
  }

  #isShown(disrupted: DisruptedPod): boolean {
    const { pod } = disrupted;
    const shown = this.#pods.get(namespaceOf(pod), nameOf(pod));
    if (shown === undefined || uidOf(shown) !== uidOf(pod)) return true;
    switch (disrupted.type) {
      case 'planned':
        return !isStaying(releasePodOf(shown));
      case 'lost':
        return isShownAfter(this.#pods, pod);
      case 'written':
        return !isOlder(resourceVersionOf(shown), disrupted.version);
    }
  }

  #of(pod: KubeObject): DisruptedPod | undefined {
    return this.#known.get(namespaceOf(pod))?.get(uidOf(pod));
  }

  #put(disrupted: DisruptedPod): void {
    const namespace = namespaceOf(disrupted.pod);
    const known = this.#known.get(namespace) ?? new Map<string, DisruptedPod>();
    this.#known.set(namespace, known.set(uidOf(disrupted.pod), disrupted));
  }

  #remove(pod: KubeObject): void {
    const known = this.#known.get(namespaceOf(pod));
    known?.delete(uidOf(pod));
    if (known?.size === 0) this.#known.delete(namespaceOf(pod));
  }
}
