import { scalarShape, untypedShape, type FieldShape, type Shape, type StructShape } from '#kube/shape.ts';
import { metaFieldNames } from './object-meta.ts';

/** ObjectMeta as merging and ownership see it: owners by uid, finalizers a set. */
export const objectMetaShape: StructShape = {
  type: 'struct',
  atomic: false,
  open: false,
  field: (name) => fields.get(name),
  fieldNames: () => metaFieldNames,
};

const field = (shape: Shape, patchStrategy: readonly string[] = [], patchMergeKey?: string): FieldShape => ({
  shape: () => shape,
  patchStrategy,
  patchMergeKey,
});

const ownerFields = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
const owner: Shape = {
  type: 'struct',
  atomic: true,
  open: false,
  field: (name) => (ownerFields.includes(name) ? field(scalarShape) : undefined),
  fieldNames: () => ownerFields,
};

const texts: Shape = { type: 'map', atomic: false, value: () => scalarShape };

const particular: ReadonlyMap<string, FieldShape> = new Map([
  ['labels', field(texts)],
  ['annotations', field(texts)],
  [
    'ownerReferences',
    field({ type: 'list', list: 'map', keys: ['uid'], keyDefaults: {}, item: () => owner }, ['merge'], 'uid'),
  ],
  [
    'finalizers',
    field({ type: 'list', list: 'set', keys: [], keyDefaults: {}, item: () => scalarShape }, ['merge']),
  ],
  [
    'managedFields',
    field({ type: 'list', list: 'atomic', keys: [], keyDefaults: {}, item: () => untypedShape }),
  ],
]);

const fields: ReadonlyMap<string, FieldShape> = new Map(
  metaFieldNames.map((name) => [name, particular.get(name) ?? field(scalarShape)] as const),
);
