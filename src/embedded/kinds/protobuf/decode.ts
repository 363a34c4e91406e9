import type { Json, JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { builtinType, typeNameOf } from '#schema/types/builtin-types.ts';
import { decodeMessage, type MessageReader } from './decode-message.ts';
import { hasMagic, readEnvelope, type Envelope } from './envelope.ts';
import { ProtobufError, malformed } from './protobuf-error.ts';

export type DecodedProtobuf = {
  readonly apiVersion: string;
  readonly kind: string;
  /** With apiVersion and kind, and zeros left out or written as a real server would. */
  readonly object: JsonObject;
};

export type ExpectedKind = { readonly apiVersion: string; readonly kind: string };

/**
 * Decodes a request body in Kubernetes' protobuf encoding. Throws ProtobufError, and nothing else, for
 * bytes that are not a built-in kind in such an envelope. A body that names no kind is taken for `expected`.
 */
export function decodeProtobuf(bytes: Uint8Array, expected?: ExpectedKind): DecodedProtobuf {
  const read = readEnvelope(bytes);
  const envelope = read.kind === '' && expected !== undefined ? { ...read, ...expected } : read;
  return { apiVersion: envelope.apiVersion, kind: envelope.kind, object: decodeEnvelope(envelope, 1) };
}

/** Lists of lists are the deepest that occurs. */
const mostEnvelopes = 4;
const protobufType = 'application/vnd.kubernetes.protobuf';

function decodeEnvelope({ apiVersion, kind, raw, ...content }: Envelope, nesting: number): JsonObject {
  if (nesting > mostEnvelopes) throw malformed(`objects are nested deeper than ${mostEnvelopes} envelopes`);
  if (content.contentEncoding !== '')
    throw malformed(`content encoding ${content.contentEncoding} is not supported`);
  if (content.contentType !== '' && content.contentType !== protobufType) {
    throw malformed(`content type ${content.contentType} is not supported`);
  }
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const type = builtinType(typeNameOf(group, apiVersion.slice(slash + 1), kind) ?? '');
  if (type === undefined) {
    throw new ProtobufError('kind', `no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  const reading: MessageReader = {
    bytes: raw,
    at: 0,
    end: raw.length,
    messages: 0,
    level: 0,
    raw: (inner) => decodeRaw(inner, nesting),
  };
  return { kind, apiVersion, ...(decodeMessage(reading, type) as JsonObject) };
}

const decoder = new TextDecoder();

function decodeRaw(bytes: Uint8Array, nesting: number): Json {
  if (bytes.length === 0) return null;
  if (hasMagic(bytes)) return decodeEnvelope(readEnvelope(bytes), nesting + 1);
  try {
    return parseJson(decoder.decode(bytes));
  } catch (error) {
    throw malformed(
      `embedded JSON cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
