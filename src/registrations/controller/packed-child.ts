import { isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { RecentMap } from '#base/recent-map.ts';
import type { Decoder, Packed } from '#loop/decoder.ts';
import { metaOf, withMeta, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { ownedFields } from './already-applied.ts';

const maxShapes = 1000;
/**
 * Replaces the uid of the owner, the only difference between the owned fields of similar children. Cannot occur in
 * printed JSON.
 */
const ownerMark = '\0owner\0';

/**
 * Packs children into texts, which need a fraction of the memory. Similar children share the text of the fields that
 * we own.
 */
export class ChildPacker {
  readonly #shapes = new RecentMap<string>(maxShapes);
  readonly decoder: Decoder<Packed<KubeObject>> = {
    name: 'registration-child',
    of: (object) => this.#pack(object),
  };

  unpack(packedChild: Packed<KubeObject>): KubeObject {
    const child = packedChild as KubeObject;
    const { packed, owned, ...head } = child;
    if (typeof packed !== 'string') return child;
    const { metadata, ...rest } = parseJson(packed) as JsonObject;
    const meta = { ...(isObject(metadata) ? metadata : {}), ...metaOf(head) };
    if (typeof owned !== 'string') return { ...head, ...rest, metadata: meta };
    const managedFields = owned.replaceAll(ownerMark, controllerOf(head)?.uid ?? ownerMark);
    return { ...head, ...rest, metadata: { ...meta, managedFields } };
  }

  #pack(object: KubeObject): Packed<KubeObject> {
    if (typeof object['packed'] === 'string') return object;
    const { apiVersion = '', kind = '', metadata: _metadata, ...rest } = object;
    const { managedFields, ...meta } = metaOf(withOwnFields(object));
    const [kept, others] = parted(meta, inHand);
    const packed = printJson({ ...rest, metadata: others });
    const owned = typeof managedFields === 'string' ? { owned: this.#shape(object, managedFields) } : {};
    const made: JsonObject = { apiVersion, kind, metadata: kept, packed, ...owned };
    return made;
  }

  #shape(object: KubeObject, owned: string): string {
    const uid = controllerOf(object)?.uid;
    const shape = uid === undefined ? owned : owned.replaceAll(uid, ownerMark);
    return this.#shapes.ensure(shape, () => shape);
  }
}

/** The metadata that indexes and caches read. */
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

/** Keeps only our own managed fields. */
export function withOwnFields(object: KubeObject): KubeObject {
  if (
    metaOf(object)['managedFields'] === undefined ||
    textAt(object, 'metadata', 'managedFields') !== undefined
  )
    return object;
  return withMeta(object, { managedFields: printJson(ownedFields(object) ?? null) });
}
