import { childKinds, childLabels, type ChildKind } from '#registrations/decide/children.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { reasonOf, type Report } from '#loop/report.ts';
import { metaOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { instanceKey } from './instance-key.ts';

export type FormerChildrenDeps = {
  readonly client: Pick<KubeClient, 'list'>;
  readonly report: Report;
  readonly registration: Registration;
  readonly kind: InstanceKind;
};

/**
 * The children that instances have from a former registration of the CRD, or from another form factor. They are listed
 * once, at the start, and pruned when the new children exist.
 */
export class FormerChildren {
  readonly #deps: FormerChildrenDeps;
  readonly #byOwner = new Map<string, readonly KubeObject[]>();

  constructor(deps: FormerChildrenDeps) {
    this.#deps = deps;
  }

  /** Calls back with the key of each instance that has such children. A failed list is reported only. */
  async find(found: (key: string) => void, signal: AbortSignal): Promise<void> {
    for (const kind of childKinds)
      for (const child of await this.#listed(kind, signal)) {
        const key = instanceKey(child, this.#deps.kind);
        const owner = controllerOf(child)?.uid;
        if (key === undefined || owner === undefined) continue;
        this.#byOwner.set(owner, [...this.of(owner), child]);
        found(key);
      }
  }

  of(owner: string): readonly KubeObject[] {
    return this.#byOwner.get(owner) ?? [];
  }

  /** Forgets children that were deleted. */
  forget(children: readonly KubeObject[]): void {
    for (const child of children) {
      const owner = controllerOf(child)?.uid ?? '';
      const rest = this.of(owner).filter((each) => uidOf(each) !== uidOf(child));
      if (rest.length === 0) this.#byOwner.delete(owner);
      else this.#byOwner.set(owner, rest);
    }
  }

  async #listed(child: ChildKind, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { client, report, registration } = this.#deps;
    const { group, version, plural, apiVersion, kind } = child;
    const resource = { group, version, plural, namespaced: true };
    try {
      const listed = await client.list(resource, { labelSelector: selectorOf(registration, child) }, signal);
      if (listed.type !== 'ok') return [];
      return listed.items.map((each) => ({ apiVersion, kind, metadata: metaOf(each) }));
    } catch (error) {
      if (signal.aborted) return [];
      report('children of former registrations could not be listed', { kind, why: reasonOf(error) }, 'warn');
      return [];
    }
  }
}

/** Children of other registrations; also those of this one where no informer watches their kind. */
function selectorOf({ name, form }: Registration, { key }: ChildKind): string {
  const {
    'app.kubernetes.io/instance': _instance,
    'app.kubernetes.io/name': ours = '',
    ...common
  } = childLabels(name, {});
  const isFollowed = key !== 'ksvc' || form.type === 'ksvc';
  const same = Object.entries(common).map(([label, value]) => `${label}=${value}`);
  return [...same, ...(isFollowed ? [`app.kubernetes.io/name!=${ours}`] : [])].join(',');
}
