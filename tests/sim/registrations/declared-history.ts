import { isObject, listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import { isDeleting, nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { ServerChange } from '../sim-server.ts';
import type { RegistrationShape } from './plan-registration-world.ts';

const finalizer = 'scoby.triggermesh.io/finalizer';

/** An instance as it was from this revision on. */
export type InstanceVersion = {
  readonly revision: number;
  readonly name: string;
  readonly generation: number;
  readonly value: string;
  /** It is being deleted, or is gone. */
  readonly isGoing: boolean;
  readonly isGone: boolean;
  /** It has our finalizer. */
  readonly isHeld: boolean;
};

/** The registration as it was from this revision on. */
export type RegistrationVersion = RegistrationShape & {
  readonly revision: number;
  readonly generation: number;
};

/** What was declared at which revision, by the changes of the server. */
export class DeclaredHistory {
  readonly #instances = new Map<string, InstanceVersion[]>();
  readonly registrations: RegistrationVersion[] = [];
  /** Of the registration. */
  uid = '';

  see({ type, storage, object }: ServerChange): void {
    if (storage === 'scoby.triggermesh.io/crdregistrations') {
      this.uid = uidOf(object);
      const version = registrationVersion(object);
      if (version.generation !== this.registrations.at(-1)?.generation) this.registrations.push(version);
    }
    if (storage !== 'extensions.triggermesh.io/kuards') return;
    const versions = this.#instances.get(uidOf(object)) ?? [];
    const next = instanceVersion(object, type === 'DELETED');
    this.#instances.set(uidOf(object), versions);
    if (isOther(versions.at(-1), next)) versions.push(next);
  }

  instance(uid: string): readonly InstanceVersion[] {
    return this.#instances.get(uid) ?? [];
  }
}

/** The version that was there at the revision, and all later ones. */
export function versionsFrom<Version extends { readonly revision: number }>(
  versions: readonly Version[],
  revision: number,
): readonly Version[] {
  const place = versions.findLastIndex((each) => each.revision <= revision);
  return place <= 0 ? versions : versions.slice(place);
}

const isOther = (last: InstanceVersion | undefined, next: InstanceVersion): boolean =>
  last?.generation !== next.generation ||
  last.isGoing !== next.isGoing ||
  last.isGone !== next.isGone ||
  last.isHeld !== next.isHeld;

const instanceVersion = (object: KubeObject, isGone: boolean): InstanceVersion => ({
  revision: Number(resourceVersionOf(object)),
  name: nameOf(object),
  generation: numberAt(object, 'metadata', 'generation') ?? 0,
  value: String(numberAt(object, 'spec', 'value')),
  isGoing: isGone || isDeleting(object),
  isGone,
  isHeld: !isGone && listAt(object, 'metadata', 'finalizers').includes(finalizer),
});

function registrationVersion(object: KubeObject): RegistrationVersion {
  const form = objectAt(object, 'spec', 'workload', 'formFactor', 'deployment');
  return {
    revision: Number(resourceVersionOf(object)),
    generation: numberAt(object, 'metadata', 'generation') ?? 0,
    image: textAt(object, 'spec', 'workload', 'fromImage', 'repo') ?? '',
    replicas: numberAt(form, 'replicas') ?? 1,
    hasService: isObject(form?.['service']),
    hasHook: objectAt(object, 'spec', 'hook') !== undefined,
  };
}
