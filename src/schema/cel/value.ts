import type { Quantity } from '#base/quantity.ts';

/** What an expression works with. Whole numbers are bigint, doubles are number, texts and bytes as they are. */
export type CelValue = null | boolean | bigint | number | string | Uint8Array | Boxed;

type Boxed =
  | Uint
  | Duration
  | Timestamp
  | List
  | Dict
  | Optional
  | TypeName
  | CelError
  | UrlValue
  | IpValue
  | CidrValue
  | QuantityValue
  | FormatValue
  | Hidden;

export type Uint = { readonly kind: 'uint'; readonly value: bigint };
export type Duration = { readonly kind: 'duration'; readonly nanos: bigint };
/** Nanoseconds since 1970. */
export type Timestamp = { readonly kind: 'timestamp'; readonly nanos: bigint };
export type List = {
  readonly kind: 'list';
  readonly length: number;
  at(index: number): CelValue;
  /** Lists of type set and map are equal in any order; the key identifies their items. */
  readonly keyOf?: ((item: CelValue) => string) | undefined;
};
export type Dict = {
  readonly kind: 'map';
  readonly size: number;
  find(key: CelValue): CelValue | undefined;
  keys(): readonly CelValue[];
};
export type Optional = { readonly kind: 'optional'; readonly value: CelValue | undefined };
export type TypeName = { readonly kind: 'type'; readonly name: string };
/** Errors are values: `false && error` is false, and nothing needs to be thrown and caught. */
export type CelError = { readonly kind: 'error'; readonly message: string };
export type UrlValue = {
  readonly kind: 'url';
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly escapedPath: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
};
export type IpValue = { readonly kind: 'ip'; readonly family: 4 | 6; readonly bits: bigint };
export type CidrValue = { readonly kind: 'cidr'; readonly ip: IpValue; readonly prefix: number };
export type QuantityValue = { readonly kind: 'quantity'; readonly quantity: Quantity };
export type FormatValue = {
  readonly kind: 'format';
  readonly name: string;
  readonly validate: (text: string) => readonly string[];
};
/** What a schema does not describe: it can only be compared. */
export type Hidden = { readonly kind: 'hidden'; readonly identity: string };

export const failed = (message: string): CelError => ({ kind: 'error', message });
export const noSuchOverload: CelError = failed('no such overload');

export const isBoxed = (value: CelValue): value is Boxed =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
export const isError = (value: CelValue): value is CelError => isBoxed(value) && value.kind === 'error';

const plainKinds: Readonly<Record<string, string>> = {
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
  string: 'string',
};

/** `int`, `list`, `quantity` and so on: what overloads are chosen by. */
export function kindOf(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return plainKinds[typeof value] ?? 'error';
  return value instanceof Uint8Array ? 'bytes' : value.kind;
}

const typeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  optional: 'optional_type',
  url: 'kubernetes.URL',
  ip: 'net.IP',
  cidr: 'net.CIDR',
  quantity: 'kubernetes.Quantity',
  format: 'kubernetes.NamedFormat',
};

/** The name of a value's type, as `type(x)` prints. */
export function typeNameOf(value: CelValue): string {
  const kind = kindOf(value);
  return typeNames[kind] ?? kind;
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const overflow = failed('integer overflow');
const unsignedOverflow = failed('unsigned integer overflow');

export const checkedInt = (value: bigint): bigint | CelError =>
  value < smallest || value > largest ? overflow : value;
export const checkedUint = (value: bigint): Uint | CelError =>
  value < 0n || value >= 2n ** 64n ? unsignedOverflow : { kind: 'uint', value };

export const none: Optional = { kind: 'optional', value: undefined };
export const some = (value: CelValue): Optional => ({ kind: 'optional', value });

export const listOf = (items: readonly CelValue[]): List => ({
  kind: 'list',
  length: items.length,
  at: (index) => items[index] ?? null,
});

export function itemsOf(list: List): readonly CelValue[] {
  const items: CelValue[] = [];
  for (let i = 0; i < list.length; i++) items.push(list.at(i));
  return items;
}

/** A map by its entries; keys are texts, numbers and booleans, and equal numbers are the same key. */
export function dictOf(entries: readonly (readonly [CelValue, CelValue])[]): Dict {
  const found = new Map(entries.map(([key, value]) => [keyText(key), value] as const));
  return {
    kind: 'map',
    size: found.size,
    find: (key) => found.get(keyText(key)),
    keys: () => entries.map(([key]) => key),
  };
}

/** One text per distinct key. */
export function keyText(key: CelValue): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (typeof key === 'number' && Number.isInteger(key)) return `n${BigInt(key)}`;
  if (key instanceof Uint8Array) return `b${key.join()}`;
  return isBoxed(key) ? boxedKey(key) : String(key);
}

function boxedKey(key: Boxed): string {
  if (key.kind === 'uint') return `n${key.value}`;
  return 'nanos' in key ? `${key.kind}${key.nanos}` : key.kind;
}
