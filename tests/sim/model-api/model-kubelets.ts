import type { Random } from '#base/random.ts';
import { millis, type Clock } from '#base/time.ts';
import { nameOf, namespaceOf, objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import { listAt, textAt } from '#base/json.ts';
import { pods } from '#loop/owned/resources.ts';
import { outcomeOf, type ModelApi } from './model-api.ts';
import { frees, hasItsClaims } from './model-claims.ts';
import type { ModelChange } from './model-store.ts';
import { crashed, failed, podAfter, stepOf, stopped, type PodStep } from './model-pod.ts';

export type KubeletDeps = { readonly api: ModelApi; readonly clock: Clock; readonly random: Random };

/** How long a step takes, in milliseconds: at least and at most. */
const spans: Readonly<Record<PodStep['type'], readonly [least: number, most: number]>> = {
  bind: [10, 60],
  start: [50, 1500],
  restart: [50, 1200],
  recover: [100, 3000],
  judge: [5, 150],
  end: [50, 1000],
  'patch-hot': [20, 400],
  nothing: [0, 0],
};
const unreadyShare = 0.2;
export const nodeNames = ['node-0', 'node-1', 'node-2'] as const;
/** Times are multiples of this, so that many things happen at the same time. */
const grain = 50;

/** All kubelets and the scheduler: each pod goes one step further after a while. */
export class ModelKubelets {
  /** Nodes that do not answer: nothing happens to their pods, and no pod comes to them. */
  readonly lost = new Set<string>();
  readonly #deps: KubeletDeps;
  /** Uids of pods with a step under way. */
  readonly #busy = new Set<string>();
  #ids = 0;

  constructor(deps: KubeletDeps) {
    this.#deps = deps;
  }

  /** Follows the store from now on. */
  begin(): void {
    this.#deps.api.store.subscribe((change) => this.#see(change));
  }

  /** A container of the pod crashes. */
  crash(pod: KubeObject): void {
    this.#deps.api.set('/pods', crashed(pod, this.#deps.clock.now()));
  }

  /** The pod fails for good. */
  fail(pod: KubeObject): void {
    this.#deps.api.set('/pods', failed(pod, this.#deps.clock.now()));
  }

  /** The node answers again: its kubelet looks at all of its pods. */
  found(node: string): void {
    this.lost.delete(node);
    for (const pod of this.#deps.api.store.all('/pods'))
      if (textAt(pod, 'spec', 'nodeName') === node) this.#look(pod);
  }

  #see(change: ModelChange): void {
    const { type, storage, object } = change;
    if (type === 'DELETED') return;
    if (storage === '/pods') this.#look(object);
    if (storage !== '/persistentvolumeclaims') return;
    for (const pod of this.#deps.api.store.within('/pods', namespaceOf(object)).values())
      if (frees(change, pod)) this.#look(pod);
  }

  #isLost(pod: KubeObject): boolean {
    return this.lost.size > 0 && this.lost.has(textAt(pod, 'spec', 'nodeName') ?? '');
  }

  #look(object: KubeObject): void {
    if (this.#busy.has(uidOf(object)) || this.#isLost(object)) return;
    const { type: step } = stepOf(object);
    if (step === 'nothing') return;
    this.#busy.add(uidOf(object));
    const [least, most] = spans[step];
    const { clock, random } = this.#deps;
    const span = Math.ceil((least + random.next() * (most - least)) / grain) * grain;
    clock.after(millis(span), () => {
      this.#busy.delete(uidOf(object));
      this.#go(object);
    });
  }

  /** By now the pod may need another step. */
  #go(seen: KubeObject): void {
    const { api, clock, random } = this.#deps;
    const pod = api.store.get('/pods', namespaceOf(seen), nameOf(seen));
    if (pod === undefined || uidOf(pod) !== uidOf(seen)) return;
    const { type: step } = stepOf(pod);
    if (step === 'nothing' || this.#isLost(pod)) return;
    if (step === 'bind' && !hasItsClaims(api.store, pod)) return;
    if (step === 'end') {
      this.#end(pod);
      return;
    }
    this.#ids += 1;
    const isUnready = (step === 'start' || step === 'restart') && random.next() < unreadyShare;
    const node = this.#node();
    api.set('/pods', podAfter(pod, step, { now: clock.now(), id: String(this.#ids), isUnready, node }));
  }

  /** Each in turn, except those that are lost. */
  #node(): string {
    const there = nodeNames.filter((each) => !this.lost.has(each));
    return there[this.#ids % Math.max(1, there.length)] ?? '';
  }

  #end(pod: KubeObject): void {
    const { api, clock } = this.#deps;
    if (listAt(pod, 'metadata', 'finalizers').length > 0) api.set('/pods', stopped(pod, clock.now()));
    else outcomeOf(() => api.remove(pods, objectKeyOf(pod), { gracePeriodSeconds: 0 }));
  }
}
