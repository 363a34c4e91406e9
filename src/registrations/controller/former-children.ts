import type { ControlDeps } from '#loop/control-deps.ts';
import { backOff } from '#base/back-off.ts';
import { minutes, seconds } from '#base/time.ts';
import { childKinds, childLabels, type ChildKind } from '#registrations/decide/children.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { aboutError } from '#loop/report.ts';
import { metaOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { instanceKey } from './instance-key.ts';

export type FormerChildrenDeps = Pick<ControlDeps, 'clock' | 'random' | 'report'> & {
  readonly client: Pick<KubeClient, 'list'>;
  readonly registration: Registration;
  readonly kind: InstanceKind;
};

const betweenAttempts = { first: seconds(1), longest: minutes(1) };

/**
 * The children that instances have from a former registration of the CRD, or from another form factor. They are listed
 * once, from the start on until that succeeds, and pruned when the new children exist.
 */
export class FormerChildren {
  readonly #deps: FormerChildrenDeps;
  readonly #byOwner = new Map<string, readonly KubeObject[]>();
  /** Kinds, and how their lists failed. */
  readonly #reported = new Set<string>();

  constructor(deps: FormerChildrenDeps) {
    this.#deps = deps;
  }

  /** Calls back with the key of each instance that has such children, also when only a later attempt finds them. */
  async find(found: (key: string) => void, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#deps;
    let missing = childKinds;
    for (let failures = 1; ; failures += 1) {
      missing = await this.#findEach(missing, found, signal);
      if (missing.length === 0) return;
      const span = backOff(failures, random.next(), betweenAttempts);
      await clock.sleep(span, signal).catch(() => undefined);
      if (signal.aborted) return;
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

  /** Returns the kinds that could not be listed. */
  async #findEach(
    kinds: readonly ChildKind[],
    found: (key: string) => void,
    signal: AbortSignal,
  ): Promise<readonly ChildKind[]> {
    const missing: ChildKind[] = [];
    for (const kind of kinds) {
      const children = await this.#listed(kind, signal);
      // After the end others may serve the CRD, and children of theirs may be in the list.
      if (signal.aborted) return [];
      if (children === undefined) missing.push(kind);
      else this.#keep(children, found);
    }
    return missing;
  }

  #keep(children: readonly KubeObject[], found: (key: string) => void): void {
    for (const child of children) {
      const key = instanceKey(child, this.#deps.kind);
      const owner = controllerOf(child)?.uid;
      if (key === undefined || owner === undefined) continue;
      this.#byOwner.set(owner, [...this.of(owner), child]);
      found(key);
    }
  }

  /** Undefined when it has to be tried again. A kind that is not installed has no objects. */
  async #listed(child: ChildKind, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
    const { client, registration } = this.#deps;
    const { group, version, plural, apiVersion, kind } = child;
    const resource = { group, version, plural, namespaced: true };
    try {
      const listed = await client.list(resource, { labelSelector: selectorOf(registration, child) }, signal);
      if (listed.type === 'ok')
        return listed.items.map((each) => ({ apiVersion, kind, metadata: metaOf(each) }));
      if (listed.type === 'not-found') return [];
      return this.#failed(kind, listed.type, { why: listed.message });
    } catch (error) {
      return signal.aborted ? undefined : this.#failed(kind, 'unavailable', aboutError(error));
    }
  }

  /** Reports it at the first attempt that fails in this way. */
  #failed(kind: string, type: string, about: ReturnType<typeof aboutError>): undefined {
    const what = `${kind} ${type}`;
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    const { report, registration } = this.#deps;
    const fields = { registration: registration.name, kind, ...about };
    report('children of former registrations could not be listed', fields, 'warn');
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
