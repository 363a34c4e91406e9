import type { Json } from '#base/json.ts';
import { formatTime, instant } from '#base/time.ts';
import type { BuiltinType, SpecialForm } from '#schema/types/builtin-type.ts';
import { malformed } from './protobuf-error.ts';
import { readBytes, readText, readVarint, skipField, wireBytes, wireVarint, type Cursor } from './wire.ts';

/** What the readers of special forms need from the reader of messages; handed in so that imports go one way. */
export type Nested = {
  /** Reads the message that follows as the named type. */
  message(typeName: string): Json;
  /** Reads bytes that hold JSON, or an object in an envelope of its own. */
  raw(bytes: Uint8Array): Json;
};

/** Reads the message up to the cursor's end as a type whose JSON is not the sum of its fields. */
export function readSpecial(cursor: Cursor, type: BuiltinType, nested: Nested): Json {
  if (type.special === undefined) throw new Error(`${type.name} has no form of its own`);
  return readers[type.special]({ cursor, type, nested });
}

type Source = { readonly cursor: Cursor; readonly type: BuiltinType; readonly nested: Nested };

const readers: Readonly<Record<SpecialForm, (source: Source) => Json>> = {
  time: ({ cursor }) => {
    const at = readTimestamp(cursor);
    return at === undefined ? null : formatTime(instant(at.seconds * 1000));
  },
  microtime: ({ cursor }) => {
    const at = readTimestamp(cursor);
    if (at === undefined) return null;
    const micros = String(Math.floor(at.nanos / 1000)).padStart(6, '0');
    return `${formatTime(instant(at.seconds * 1000)).slice(0, -1)}.${micros}Z`;
  },
  quantity: ({ cursor }) => {
    let text = '0';
    readFields(cursor, { 1: [wireBytes, () => (text = readText(cursor))] });
    return text;
  },
  intOrString: ({ cursor }) => readIntOrString(cursor),
  raw: readRaw,
  json: readRaw,
  list: ({ cursor }) => {
    const items: string[] = [];
    readFields(cursor, { 1: [wireBytes, () => items.push(readText(cursor))] });
    return items;
  },
  schemaOrArray: (source) => readSchemaOrList(source, () => readSchema(source)),
  schemaOrStrings: (source) => readSchemaOrList(source, () => readText(source.cursor)),
  schemaOrBool: (source) => {
    let allows = false;
    let schema: Json | undefined;
    readFields(source.cursor, {
      1: [wireVarint, () => (allows = readVarint(source.cursor) !== 0)],
      2: [wireBytes, () => (schema = readSchema(source))],
    });
    return schema ?? allows;
  },
};

type Handlers = Readonly<Record<number, readonly [wireType: number, read: () => unknown] | undefined>>;

function readFields(cursor: Cursor, handlers: Handlers): void {
  while (cursor.at < cursor.end) {
    const tag = readVarint(cursor);
    const number = Math.floor(tag / 8);
    const handler = handlers[number];
    if (handler === undefined) skipField(cursor, tag & 7);
    else if (handler[0] === (tag & 7)) handler[1]();
    else throw malformed(`wrong wire type ${tag & 7} for field ${number}`);
  }
}

/** The year 1 and the end of the year 9999: the range of RFC 3339. */
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;

/** Undefined for an empty message, which means a time that was never set. */
function readTimestamp(cursor: Cursor): { readonly seconds: number; readonly nanos: number } | undefined {
  if (cursor.at === cursor.end) return undefined;
  let seconds = 0;
  let nanos = 0;
  readFields(cursor, {
    1: [wireVarint, () => (seconds = readVarint(cursor))],
    2: [wireVarint, () => (nanos = readVarint(cursor))],
  });
  const inRange = seconds >= firstSecond && seconds <= lastSecond && nanos >= 0 && nanos < 1_000_000_000;
  if (!inRange) throw malformed(`a time of ${seconds} seconds and ${nanos} nanoseconds is out of range`);
  return { seconds, nanos };
}

function readIntOrString(cursor: Cursor): number | string {
  let type = 0;
  let number = 0;
  let text = '';
  readFields(cursor, {
    1: [wireVarint, () => (type = readVarint(cursor))],
    2: [wireVarint, () => (number = readVarint(cursor) | 0)],
    3: [wireBytes, () => (text = readText(cursor))],
  });
  if (type !== 0 && type !== 1) throw malformed(`an int or string has the impossible type ${type}`);
  return type === 0 ? number : text;
}

function readRaw({ cursor, nested }: Source): Json {
  let value: Json = null;
  readFields(cursor, { 1: [wireBytes, () => (value = nested.raw(readBytes(cursor)))] });
  return value;
}

/** `JSONSchemaPropsOrBool` and its like hold a `JSONSchemaProps`. */
const readSchema = ({ type, nested }: Source): Json => nested.message(type.name.replace(/Or\w+$/, ''));

function readSchemaOrList(source: Source, readItem: () => Json): Json {
  const items: Json[] = [];
  let schema: Json = null;
  readFields(source.cursor, {
    1: [wireBytes, () => (schema = readSchema(source))],
    2: [wireBytes, () => items.push(readItem())],
  });
  return items.length > 0 ? items : schema;
}
