import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { work, type Meter } from './meter.ts';
import { failed, keyText, type Dict, type List, type CelValue } from './value.ts';

/** Turns the JSON at one place of a schema into a value. */
export type Adapt = (value: Json, meter: Meter) => CelValue;

/** A field of an object: the key it has in JSON, and how its value is read. */
export type FieldReader = { readonly key: string; readonly adapt: Adapt };

const hiddenMark = '\u0000';

/** Whoever reads a long text will compare it. */
const readingSteps = (value: Json | undefined): number =>
  typeof value === 'string' ? 1 + (value.length >> 8) : 1;

/** Listing the keys of a large object takes milliseconds, and expressions do it repeatedly. */
const largeKeys = new WeakMap<JsonObject, readonly string[]>();
const large = 200;

function keysOf(json: JsonObject, meter: Meter): readonly string[] {
  const before = largeKeys.get(json);
  const keys = before ?? Object.keys(json);
  work(meter, keys.length);
  if (before === undefined && keys.length > large) largeKeys.set(json, keys);
  return keys;
}

/** An object with declared fields. Keys are escaped names; what is not declared can only be compared. */
class JsonRecord implements Dict {
  readonly kind = 'map';
  readonly json: JsonObject;
  readonly #fields: ReadonlyMap<string, FieldReader>;
  readonly #meter: Meter;

  constructor(json: JsonObject, fields: ReadonlyMap<string, FieldReader>, meter: Meter) {
    this.json = json;
    this.#fields = fields;
    this.#meter = meter;
  }

  get size(): number {
    return keysOf(this.json, this.#meter).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const field = this.#fields.get(key);
    if (field === undefined) return this.#hidden(key);
    const value = Object.hasOwn(this.json, field.key) ? this.json[field.key] : undefined;
    work(this.#meter, readingSteps(value));
    return value === undefined || value === null ? undefined : field.adapt(value, this.#meter);
  }

  keys(): readonly CelValue[] {
    const escaped = new Map([...this.#fields].map(([name, { key }]) => [key, name]));
    work(this.#meter, escaped.size);
    return keysOf(this.json, this.#meter).map((key) => escaped.get(key) ?? `${hiddenMark}${key}`);
  }

  #hidden(key: string): CelValue | undefined {
    const name = key.startsWith(hiddenMark) ? key.slice(1) : undefined;
    if (name === undefined || !Object.hasOwn(this.json, name)) return undefined;
    const identity = printJson(this.json[name] ?? null);
    work(this.#meter, identity.length);
    return { kind: 'hidden', identity };
  }
}

/** A map from any key to values of one schema. */
class JsonMap implements Dict {
  readonly kind = 'map';
  readonly #json: JsonObject;
  readonly #adapt: Adapt;
  readonly #meter: Meter;

  constructor(json: JsonObject, adapt: Adapt, meter: Meter) {
    this.#json = json;
    this.#adapt = adapt;
    this.#meter = meter;
  }

  get size(): number {
    return keysOf(this.#json, this.#meter).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#json, key)) return undefined;
    const value = this.#json[key];
    work(this.#meter, readingSteps(value));
    return value === undefined ? undefined : this.#adapt(value, this.#meter);
  }

  keys(): readonly CelValue[] {
    return keysOf(this.#json, this.#meter);
  }
}

class JsonList implements List {
  readonly kind = 'list';
  readonly length: number;
  readonly keyOf: ((item: CelValue) => string) | undefined;
  readonly #json: readonly Json[];
  readonly #adapt: Adapt;
  readonly #meter: Meter;

  constructor(
    json: readonly Json[],
    { adapt, keyOf }: { adapt: Adapt; keyOf: ((item: CelValue) => string) | undefined },
    meter: Meter,
  ) {
    this.length = json.length;
    this.keyOf = keyOf;
    this.#json = json;
    this.#adapt = adapt;
    this.#meter = meter;
  }

  at(index: number): CelValue {
    const value = this.#json[index] ?? null;
    work(this.#meter, readingSteps(value));
    return this.#adapt(value, this.#meter);
  }
}

const nothing: JsonObject = {};

export const adaptRecord =
  (fields: () => ReadonlyMap<string, FieldReader>): Adapt =>
  (value, meter) =>
    isObject(value)
      ? new JsonRecord(value, fields(), meter)
      : failed('invalid data, expected a map for the provided schema with type=object');

export const adaptMap =
  (adapt: Adapt): Adapt =>
  (value, meter) =>
    isObject(value)
      ? new JsonMap(value, adapt, meter)
      : failed('invalid data, expected a map for the provided schema with type=object');

/** The keys that identify the items of a list: none in an atomic one. */
export function keyOfItems(type: Json | undefined, keys: readonly string[]): List['keyOf'] {
  if (type === 'set') return keyText;
  if (type !== 'map') return undefined;
  return (item) => {
    const json = item instanceof JsonRecord ? item.json : nothing;
    return printJson(keys.map((key) => (Object.hasOwn(json, key) ? (json[key] ?? null) : [])));
  };
}

export const adaptList =
  (adapt: Adapt, keyOf: List['keyOf']): Adapt =>
  (value, meter) =>
    Array.isArray(value)
      ? new JsonList(value as readonly Json[], { adapt, keyOf }, meter)
      : failed('invalid data, expected an array for the provided schema with type=array');
