import { at, numberAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** The server's admission has looked up the pod's class. */
export const priorityOf = (pod: KubeObject): number => numberAt(pod, 'spec', 'priority') ?? 0;

/** Whether it depends on other pods where this one may go. */
export const caresForCompany = (pod: KubeObject): boolean =>
  at(pod, 'spec', 'affinity') !== undefined || at(pod, 'spec', 'topologySpreadConstraints') !== undefined;

/** The queued pods by priority: a pod waits while one of a higher priority is queued. */
export class Queued {
  readonly #priorities = new Map<string, number>();
  readonly #counts = new Map<number, number>();

  add(key: string, priority: number): void {
    this.delete(key);
    this.#priorities.set(key, priority);
    this.#counts.set(priority, (this.#counts.get(priority) ?? 0) + 1);
  }

  delete(key: string): void {
    const priority = this.#priorities.get(key);
    if (priority === undefined) return;
    this.#priorities.delete(key);
    const count = (this.#counts.get(priority) ?? 0) - 1;
    if (count > 0) this.#counts.set(priority, count);
    else this.#counts.delete(priority);
  }

  isAnyAbove(priority: number): boolean {
    for (const other of this.#counts.keys()) if (other > priority) return true;
    return false;
  }
}
