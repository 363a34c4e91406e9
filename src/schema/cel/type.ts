/** The types of CEL, as far as rules on custom resources meet them. */
export type CelKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'object'
  | 'param';

export type CelType = {
  readonly kind: CelKind;
  /** As messages write it, without parameters. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** Only of objects: the type of a field by its escaped name. Also what makes two object types the same. */
  readonly fields?: ReadonlyMap<string, CelType>;
};

const none: readonly CelType[] = [];
const simple = (kind: CelKind, name: string = kind): CelType => ({ kind, name, params: none });

export const boolType = simple('bool');
export const intType = simple('int');
export const uintType = simple('uint');
export const doubleType = simple('double');
export const stringType = simple('string');
export const bytesType = simple('bytes');
export const nullType = simple('null');
export const timestampType = simple('timestamp');
export const durationType = simple('duration');
export const dynType = simple('dyn');
export const errorType = simple('error', '!error!');

export const listType = (item: CelType): CelType => ({ kind: 'list', name: 'list', params: [item] });
export const mapType = (key: CelType, value: CelType): CelType => ({
  kind: 'map',
  name: 'map',
  params: [key, value],
});
export const typeType = (of: CelType): CelType => ({ kind: 'type', name: 'type', params: [of] });
export const opaqueType = (name: string, params: readonly CelType[] = none): CelType => ({
  kind: 'opaque',
  name,
  params,
});
export const optionalType = (of: CelType): CelType => opaqueType('optional_type', [of]);
export const paramType = (name: string): CelType => simple('param', name);
export const objectType = (fields: ReadonlyMap<string, CelType>): CelType => ({
  kind: 'object',
  name: 'object',
  params: none,
  fields,
});

export const isOptional = (type: CelType): boolean => type.kind === 'opaque' && type.name === 'optional_type';
export const isDynOrError = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'error';

/** The first parameter, such as what a list holds. */
export const firstParam = (type: CelType): CelType => type.params[0] ?? dynType;
export const secondParam = (type: CelType): CelType => type.params[1] ?? dynType;

/** `map(string, list(int))` */
export function formatType(type: CelType): string {
  return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
}

/** Whether two types are written and mean the same, without any binding. */
export function sameType(left: CelType, right: CelType): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind || left.name !== right.name || left.fields !== right.fields) return false;
  return (
    left.params.length === right.params.length &&
    left.params.every((each, i) => sameType(each, right.params[i] ?? errorType))
  );
}
