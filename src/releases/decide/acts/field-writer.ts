import { isObject, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { parseTime } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { actAnnotation } from '#releases/model/act.ts';
import { changeAnnotation } from '#releases/model/release-change.ts';

/** Who wrote a field, as the API server has recorded it. */
export type FieldWriter = { readonly manager: string; readonly time: string | undefined };

/** The last writer of a field; undefined when the managed fields are not known or do not contain it. */
function writerOf(object: KubeObject, ...path: readonly string[]): FieldWriter | undefined {
  const entries = listAt(object, 'metadata', 'managedFields').filter((entry) => owns(entry, path));
  const last = entries.toSorted((left, right) => momentOf(left) - momentOf(right)).at(-1);
  const manager = textAt(last, 'manager');
  return manager === undefined ? undefined : { manager, time: textAt(last, 'time') };
}

const owns = (entry: Json, path: readonly string[]): boolean => {
  const last = `f:${path.at(-1) ?? ''}`;
  const owner = objectAt(entry, 'fieldsV1', ...path.slice(0, -1).map((name) => `f:${name}`));
  return isObject(owner) && Object.hasOwn(owner, last);
};

const momentOf = (entry: Json): number => parseTime(textAt(entry, 'time') ?? '') ?? 0;

export const actWriter = (workload: KubeObject): FieldWriter | undefined =>
  writerOf(workload, 'metadata', 'annotations', actAnnotation);

/** The signature of a change has one writer. The changed field may have more, within the same second. */
export const changeWriter = (workload: KubeObject): FieldWriter | undefined =>
  writerOf(workload, 'metadata', 'annotations', changeAnnotation);

export const pausedWriter = (workload: KubeObject): FieldWriter | undefined =>
  writerOf(workload, 'spec', 'updateStrategy', 'paused');

export const templateWriter = (workload: KubeObject): FieldWriter | undefined =>
  writerOf(workload, 'spec', 'template');
