import type { Json } from '#base/json.ts';
import { encodeBase64 } from '#base/base64.ts';
import {
  readBytes,
  readDouble,
  readInt64,
  readText,
  readVarint,
  wireBytes,
  wireFixed64,
  wireVarint,
  type Cursor,
} from './wire.ts';

export function readScalar(cursor: Cursor, type: string): Json {
  switch (type) {
    case 'string':
      return readText(cursor);
    case 'bool':
      return readVarint(cursor) !== 0;
    case 'int32':
      return readVarint(cursor) | 0;
    case 'double':
      return readDouble(cursor);
    case 'bytes':
      return encodeBase64(readBytes(cursor));
    default:
      return readInt64(cursor);
  }
}

export function wireTypeOf(type: string): number {
  if (type === 'double') return wireFixed64;
  return type === 'string' || type === 'bytes' ? wireBytes : wireVarint;
}

/** Lists of numbers may come as one run of bytes. */
export const isPackable = (type: string): boolean => type !== 'string' && type !== 'bytes';

/** The value of a map entry that has none. */
export function zeroOfScalar(type: string): Json {
  if (type === 'string' || type === 'bytes') return '';
  return type === 'bool' ? false : 0;
}
