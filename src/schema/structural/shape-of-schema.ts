import type { Json } from '#base/json.ts';
import { scalarShape, untypedShape, type FieldShape, type ListShape, type Shape } from '#kube/shape.ts';
import { objectMetaShape } from './object-meta-shape.ts';
import type { SchemaNode } from './schema-node.ts';
import { memoizeByObject } from '#base/memoize.ts';

/** The shape of a schema's values, as merging and ownership need it. */
const shapeOf: (node: SchemaNode) => Shape = memoizeByObject((node) => read(node, node.embeddedResource));

/** The same for the schema of a whole resource, which has apiVersion, kind and metadata unsaid. */
export const resourceShapeOf = (node: SchemaNode): Shape => read(node, true);

function read(node: SchemaNode, resource: boolean): Shape {
  if (node.intOrString) return scalarShape;
  if (node.type === 'array') return listOf(node);
  if (node.type === 'object') return objectOf(node, resource);
  return node.type === '' ? untypedShape : (scalars[node.type] ?? scalarShape);
}

const scalars: Readonly<Record<string, Shape>> = {
  string: { type: 'scalar', of: 'string' },
  integer: { type: 'scalar', of: 'number' },
  number: { type: 'scalar', of: 'number' },
  boolean: { type: 'scalar', of: 'boolean' },
};

const scalarField: FieldShape = { shape: () => scalarShape, patchStrategy: [], patchMergeKey: undefined };
const metaField: FieldShape = { shape: () => objectMetaShape, patchStrategy: [], patchMergeKey: undefined };
const implicit: ReadonlyMap<string, FieldShape> = new Map([
  ['apiVersion', scalarField],
  ['kind', scalarField],
  ['metadata', metaField],
]);

function objectOf(node: SchemaNode, resource: boolean): Shape {
  const additional = node.additional();
  if (additional !== undefined) {
    return {
      type: 'map',
      atomic: node.atomicMap,
      value: () => (additional === true ? untypedShape : shapeOf(additional)),
    };
  }
  if (!resource && node.propertyNames.length === 0 && node.preserveUnknown && !node.atomicMap)
    return untypedShape;
  return {
    type: 'struct',
    atomic: node.atomicMap,
    open: node.preserveUnknown,
    field: (name) => (resource ? implicit.get(name) : undefined) ?? fieldOf(node.property(name)),
    fieldNames: () =>
      resource ? [...new Set([...implicit.keys(), ...node.propertyNames])] : node.propertyNames,
  };
}

function fieldOf(node: SchemaNode | undefined): FieldShape | undefined {
  return node === undefined
    ? undefined
    : { shape: () => shapeOf(node), patchStrategy: [], patchMergeKey: undefined };
}

function listOf(node: SchemaNode): ListShape {
  return {
    type: 'list',
    list: node.list,
    keys: node.listKeys,
    keyDefaults: keyDefaults(node),
    item: () => {
      const items = node.items();
      return items === undefined ? untypedShape : shapeOf(items);
    },
  };
}

function keyDefaults(node: SchemaNode): ListShape['keyDefaults'] {
  const items = node.listKeys.length === 0 ? undefined : node.items();
  const found = node.listKeys.map((key) => [key, items?.property(key)?.fallback] as const);
  return Object.fromEntries(
    found.filter((each): each is readonly [string, string | number | bigint | boolean] => isScalar(each[1])),
  );
}

const isScalar = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && typeof value !== 'object';
