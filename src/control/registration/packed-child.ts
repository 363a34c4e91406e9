import type { Json } from '#base/json.ts';
import type { Lean } from '#loop/informer.ts';
import { metaOf, withMeta, type KubeObject } from '#kube/object.ts';
import { ownedFields } from './as-applied.ts';

/** Children are many and seldom looked at: as texts their longest parts take a fraction of the memory. */
export const packedChild: Lean = {
  name: 'registration-child',
  of(object) {
    const { spec } = object;
    const packed = spec === undefined ? object : { ...object, spec: JSON.stringify(spec) };
    return withOwnFields(packed);
  },
};

export function unpackedChild(child: KubeObject): KubeObject {
  const { spec } = child;
  return typeof spec === 'string' ? { ...child, spec: JSON.parse(spec) as Json } : child;
}

/** Of the managed fields only ours are kept. */
export function withOwnFields(object: KubeObject): KubeObject {
  const { managedFields } = metaOf(object);
  if (managedFields === undefined || typeof managedFields === 'string') return object;
  return withMeta(object, { managedFields: JSON.stringify(ownedFields(object) ?? null) });
}
