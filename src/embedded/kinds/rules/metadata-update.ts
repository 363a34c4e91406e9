import { equalJson, isNumber, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { forbidden, invalid, type FieldError } from '#kube/field-error.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { goStrings } from '#kube/metadata/go-values.ts';
import { checkMaps, textsOf } from '#kube/metadata/metadata.ts';
import { checkOwnerReferences } from '#kube/metadata/owner-references.ts';

const none: readonly FieldError[] = [];

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** Checks of metadata on an update: immutable fields, and no new finalizers while the object is being deleted. */
export function validateObjectMetaUpdate(meta: JsonObject, oldMeta: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (oldMeta['deletionTimestamp'] !== undefined) checkNoNewFinalizers(meta, oldMeta, errors);
  const generation = orZero(meta['generation']);
  if (generation < orZero(oldMeta['generation'])) {
    errors.push(invalid('metadata.generation', generation, 'must not be decremented'));
  }
  for (const key of immutable) {
    if (!equalJson(meta[key], oldMeta[key])) {
      errors.push(invalid(`metadata.${key}`, meta[key] ?? zeroOf(key), 'field is immutable'));
    }
  }
  if (meta['labels'] !== oldMeta['labels'] || meta['annotations'] !== oldMeta['annotations'])
    checkMaps(meta, errors);
  if (meta['ownerReferences'] !== oldMeta['ownerReferences'])
    checkOwnerReferences(meta['ownerReferences'], errors);
  return errors.length === 0 ? none : errors;
}

const zeroOf = (key: string): Json => (key.startsWith('deletion') ? 'null' : '');

function checkNoNewFinalizers(meta: JsonObject, oldMeta: JsonObject, errors: FieldError[]): void {
  const before = new Set(textsOf(oldMeta, 'finalizers'));
  const added = textsOf(meta, 'finalizers').filter((each) => !before.has(each));
  if (added.length === 0) return;
  const list = goStrings([...new Set(added)].toSorted());
  errors.push(
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  );
}

/**
 * The metadata that an update cannot change is carried over from the old object before validation:
 * creationTimestamp, generation and a running deletion always, uid and grace period when left out.
 */
export function carryMetadata(object: KubeObject, old: KubeObject): KubeObject {
  const meta = metaOf(object);
  const oldMeta = metaOf(old);
  let copy: MutableJsonObject | undefined;
  const set = (key: string, value: Json | undefined): void => {
    if (meta[key] === value) return;
    copy ??= { ...meta };
    if (value === undefined) delete copy[key];
    else copy[key] = value;
  };
  set('creationTimestamp', oldMeta['creationTimestamp']);
  set('generation', oldMeta['generation']);
  set('selfLink', undefined);
  set('uid', meta['uid'] ?? oldMeta['uid']);
  set('deletionTimestamp', oldMeta['deletionTimestamp'] ?? meta['deletionTimestamp']);
  set(
    'deletionGracePeriodSeconds',
    meta['deletionGracePeriodSeconds'] ?? oldMeta['deletionGracePeriodSeconds'],
  );
  return copy === undefined ? object : { ...object, metadata: copy };
}

const orZero = (value: Json | undefined): number | bigint => (isNumber(value) ? value : 0);
