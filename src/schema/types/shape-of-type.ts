import {
  scalarShape,
  untypedShape,
  type FieldShape,
  type ListShape,
  type Shape,
  type StructShape,
} from '#kube/shape.ts';
import type { BuiltinField, BuiltinType, SpecialForm } from './builtin-type.ts';
import { builtinType, membersOf, typeOfField } from './builtin-types.ts';

/** The shape of one of Kubernetes' own types; cached. Throws for a name that the table does not have. */
export function shapeOfType(typeName: string): Shape {
  const known = shapes.get(typeName);
  if (known !== undefined) return known;
  const type = builtinType(typeName);
  if (type === undefined) throw new Error(`there is no built-in type called ${typeName}`);
  const shape = makeShape(type);
  shapes.set(typeName, shape);
  return shape;
}

const shapes = new Map<string, Shape>();

const specialShapes: Readonly<Record<SpecialForm, Shape>> = {
  time: scalarShape,
  microtime: scalarShape,
  quantity: scalarShape,
  intOrString: scalarShape,
  raw: untypedShape,
  json: untypedShape,
  list: { type: 'list', list: 'atomic', keys: [], keyDefaults: {}, item: () => scalarShape },
  schemaOrArray: untypedShape,
  schemaOrBool: untypedShape,
  schemaOrStrings: untypedShape,
};

function makeShape(type: BuiltinType): Shape {
  return type.special === undefined ? structShape(type, type.atomic) : specialShapes[type.special];
}

function structShape(type: BuiltinType, atomic: boolean): StructShape {
  let fields: ReadonlyMap<string, FieldShape> | undefined;
  const all = (): ReadonlyMap<string, FieldShape> => (fields ??= fieldShapes(type));
  return {
    type: 'struct',
    atomic,
    open: false,
    field: (name) => all().get(name),
    fieldNames: () => [...all().keys()],
  };
}

const plainScalar: FieldShape = { shape: () => scalarShape, patchStrategy: [], patchMergeKey: undefined };

function fieldShapes(type: BuiltinType): ReadonlyMap<string, FieldShape> {
  const fields = new Map<string, FieldShape>();
  if (type.isKind) fields.set('apiVersion', plainScalar).set('kind', plainScalar);
  for (const [name, field] of membersOf(type)) fields.set(name, fieldShape(field));
  return fields;
}

function fieldShape(field: BuiltinField): FieldShape {
  let shape: Shape | undefined;
  return {
    shape: () => (shape ??= valueShape(field)),
    patchStrategy: field.patchStrategy,
    patchMergeKey: field.patchMergeKey,
  };
}

function valueShape(field: BuiltinField): Shape {
  switch (field.container) {
    case 'list':
      return listShape(field);
    case 'map':
      return { type: 'map', atomic: field.atomic, value: () => elementShape(field) };
    case 'none': {
      const type = typeOfField(field);
      const isWhole = field.atomic && type !== undefined && type.special === undefined;
      return isWhole ? structShape(type, true) : elementShape(field);
    }
  }
}

const elementShape = (field: BuiltinField): Shape =>
  typeOfField(field) === undefined ? (scalarShapes[field.type] ?? scalarShape) : shapeOfType(field.type);

const stringShape: Shape = { type: 'scalar', of: 'string' };
const numberShape: Shape = { type: 'scalar', of: 'number' };

const scalarShapes: Readonly<Record<string, Shape>> = {
  string: stringShape,
  bytes: stringShape,
  int32: numberShape,
  int64: numberShape,
  double: numberShape,
  bool: { type: 'scalar', of: 'boolean' },
};

function listShape(field: BuiltinField): ListShape {
  return {
    type: 'list',
    list: field.listType ?? 'atomic',
    keys: field.listMapKeys,
    keyDefaults: keyDefaults(field),
    item: () => elementShape(field),
  };
}

function keyDefaults(field: BuiltinField): Readonly<Record<string, string | number | bigint | boolean>> {
  const type = typeOfField(field);
  if (type === undefined) return {};
  const defaults: Record<string, string | number | bigint | boolean> = {};
  for (const key of field.listMapKeys) {
    const value = membersOf(type).get(key)?.default;
    if (value !== undefined && value !== null && typeof value !== 'object') defaults[key] = value;
  }
  return defaults;
}
