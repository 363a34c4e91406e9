import { malformed } from './protobuf-error.ts';

/** A position in protobuf bytes; `end` closes the message being read. */
export type Cursor = { readonly bytes: Uint8Array; at: number; end: number };

export const wireVarint = 0;
export const wireFixed64 = 1;
export const wireBytes = 2;
const wireFixed32 = 5;

export function readVarint(cursor: Cursor): number {
  const { bytes, end } = cursor;
  const first = cursor.at < end ? (bytes[cursor.at] ?? 0) : 0x80;
  if (first < 0x80) {
    cursor.at += 1;
    return first;
  }
  return readLongVarint(cursor);
}

/** A signed 64-bit varint, exact. */
export function readInt64(cursor: Cursor): number | bigint {
  const from = cursor.at;
  const value = readVarint(cursor);
  if (Number.isSafeInteger(value)) return value;
  let exact = 0n;
  for (let at = cursor.at - 1; at >= from; at -= 1)
    exact = (exact << 7n) | BigInt((cursor.bytes[at] ?? 0) & 0x7f);
  return BigInt.asIntN(64, exact);
}

/** A signed 64-bit varint; beyond 2^53 it is rounded. */
function readLongVarint(cursor: Cursor): number {
  const { bytes, end } = cursor;
  let low = 0;
  let high = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    if (cursor.at >= end) throw malformed('unexpected end of data in a number');
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    const bits = byte & 0x7f;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high |= bits >>> 4;
    } else high |= shift < 63 ? bits << (shift - 32) : (bits & 1) << 31;
    if (byte < 0x80) return high * 4_294_967_296 + (low >>> 0);
  }
  throw malformed('a number has more than ten bytes');
}

/** The length of what follows, checked against what is left. */
function readLength(cursor: Cursor): number {
  const length = readVarint(cursor);
  if (length < 0 || length > cursor.end - cursor.at)
    throw malformed(`a length of ${length} exceeds the data`);
  return length;
}

export function readBytes(cursor: Cursor): Uint8Array {
  const length = readLength(cursor);
  const from = cursor.at;
  cursor.at += length;
  return cursor.bytes.subarray(from, cursor.at);
}

/** Runs `read` on the length-delimited bytes that follow, and continues after them, even if some were not read. */
export function within<T>(cursor: Cursor, read: () => T): T {
  const length = readLength(cursor);
  const outerEnd = cursor.end;
  cursor.end = cursor.at + length;
  const value = read();
  cursor.at = cursor.end;
  cursor.end = outerEnd;
  return value;
}

export function readDouble(cursor: Cursor): number {
  if (cursor.end - cursor.at < 8) throw malformed('unexpected end of data in a double');
  const value = new DataView(cursor.bytes.buffer, cursor.bytes.byteOffset + cursor.at, 8).getFloat64(0, true);
  cursor.at += 8;
  if (!Number.isFinite(value)) throw malformed('a double is not a finite number');
  return value;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const shortText = 12;

export function readText(cursor: Cursor): string {
  const length = readLength(cursor);
  const from = cursor.at;
  cursor.at += length;
  const short = length <= shortText ? asciiText(cursor.bytes, from, cursor.at) : undefined;
  return short ?? decoder.decode(cursor.bytes.subarray(from, cursor.at));
}

/** Most texts are short, where a loop beats the decoder; undefined when a byte is not ASCII. */
function asciiText(bytes: Uint8Array, from: number, to: number): string | undefined {
  let text = '';
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0x80;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

export function skipField(cursor: Cursor, wireType: number): void {
  switch (wireType) {
    case wireVarint:
      readVarint(cursor);
      return;
    case wireFixed64:
      return skip(cursor, 8);
    case wireBytes:
      return skip(cursor, readLength(cursor));
    case wireFixed32:
      return skip(cursor, 4);
    default:
      throw malformed(`illegal wire type ${wireType}`);
  }
}

function skip(cursor: Cursor, count: number): void {
  if (cursor.end - cursor.at < count) throw malformed('unexpected end of data');
  cursor.at += count;
}
