import { isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { RecentMap } from '#base/recent-map.ts';
import type { Lean } from '#loop/informer.ts';
import { metaOf, withMeta, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { ownedFields } from './already-applied.ts';

/** More shapes of children than that are not remembered. */
const maxShapes = 1000;
/**
 * Stands for the uid of the owner, which is all that tells the owned fields of alike children apart. No JSON holds it
 * in this form.
 */
const ownerMark = '\0owner\0';

/**
 * Children are many and seldom looked at: as texts they take a fraction of the memory, and the text that says which
 * of their fields are ours is one for all that look alike.
 */
export class ChildPacker {
  readonly #shapes = new RecentMap<string>(maxShapes);
  readonly lean: Lean = { name: 'registration-child', of: (object) => this.#pack(object) };

  unpack(child: KubeObject): KubeObject {
    const { packed, owned, ...head } = child;
    if (typeof packed !== 'string') return child;
    const { metadata, ...rest } = parseJson(packed) as JsonObject;
    const meta = { ...(isObject(metadata) ? metadata : {}), ...metaOf(head) };
    if (typeof owned !== 'string') return { ...head, ...rest, metadata: meta };
    const managedFields = owned.replaceAll(ownerMark, controllerOf(head)?.uid ?? ownerMark);
    return { ...head, ...rest, metadata: { ...meta, managedFields } };
  }

  #pack(object: KubeObject): KubeObject {
    if (typeof object['packed'] === 'string') return object;
    const { apiVersion = '', kind = '', metadata: _metadata, ...rest } = object;
    const { managedFields, ...meta } = metaOf(withOwnFields(object));
    const [kept, others] = parted(meta, inHand);
    const packed = printJson({ ...rest, metadata: others });
    const head = { apiVersion, kind, metadata: kept, packed };
    return typeof managedFields === 'string' ? { ...head, owned: this.#shape(object, managedFields) } : head;
  }

  #shape(object: KubeObject, owned: string): string {
    const uid = controllerOf(object)?.uid;
    const shape = uid === undefined ? owned : owned.replaceAll(uid, ownerMark);
    return this.#shapes.ensure(shape, () => shape);
  }
}

/** What indexes and caches ask for. */
const inHand: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'ownerReferences',
  'deletionTimestamp',
]);

function parted(
  object: Readonly<Record<string, Json>>,
  names: ReadonlySet<string>,
): readonly [JsonObject, JsonObject] {
  const entries = Object.entries(object);
  const [inside, outside] = [true, false].map((isIn) =>
    Object.fromEntries(entries.filter(([name]) => names.has(name) === isIn)),
  );
  return [inside ?? {}, outside ?? {}];
}

/** Of the managed fields only ours are kept. */
export function withOwnFields(object: KubeObject): KubeObject {
  if (
    metaOf(object)['managedFields'] === undefined ||
    textAt(object, 'metadata', 'managedFields') !== undefined
  )
    return object;
  return withMeta(object, { managedFields: printJson(ownedFields(object) ?? null) });
}
