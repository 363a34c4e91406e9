import { ProtobufError, malformed } from './protobuf-error.ts';
import { readBytes, readText, readVarint, skipField, within, type Cursor } from './wire.ts';

/** What every protobuf body is wrapped in. `raw` is the object without apiVersion and kind. */
export type Envelope = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
};

const magic = [0x6b, 0x38, 0x73, 0x00] as const;

export const hasMagic = (bytes: Uint8Array): boolean => magic.every((byte, i) => bytes[i] === byte);

/** Reads apiVersion and kind without touching the object. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty', 'empty data');
  if (!hasMagic(bytes)) {
    const prefix = magic.join(' ');
    throw new ProtobufError(
      'prefix',
      `provided data does not appear to be a protobuf message, expected prefix [${prefix}]`,
    );
  }
  // A view of its own: slices of subclasses of Uint8Array are slow.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const cursor: Cursor = { bytes: plain, at: magic.length, end: bytes.length };
  const envelope: { -readonly [key in keyof Envelope]: Envelope[key] } = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(),
    contentEncoding: '',
    contentType: '',
  };
  while (cursor.at < cursor.end) {
    const tag = readVarint(cursor);
    if (tag === 0x0a)
      Object.assign(
        envelope,
        within(cursor, () => readTypeMeta(cursor)),
      );
    else if (tag === 0x12) envelope.raw = readBytes(cursor);
    else if (tag === 0x1a) envelope.contentEncoding = readText(cursor);
    else if (tag === 0x22) envelope.contentType = readText(cursor);
    else if (tag < 8) throw malformed('illegal field number 0');
    else skipField(cursor, tag & 7);
  }
  return envelope;
}

function readTypeMeta(cursor: Cursor): { apiVersion: string; kind: string } {
  const meta = { apiVersion: '', kind: '' };
  while (cursor.at < cursor.end) {
    const tag = readVarint(cursor);
    if (tag === 0x0a) meta.apiVersion = readText(cursor);
    else if (tag === 0x12) meta.kind = readText(cursor);
    else skipField(cursor, tag & 7);
  }
  return meta;
}
