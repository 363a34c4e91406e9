import { isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { isTooDeep } from '#base/json-depth.ts';
import { jsonSyntaxError } from '#base/json-syntax.ts';
import { canonicalObject } from '#embedded/kinds/canonical/canonical.ts';
import { metaOf } from '#kube/object.ts';
import { decodeProtobuf } from '#embedded/kinds/protobuf/decode.ts';
import { ProtobufError } from '#embedded/kinds/protobuf/protobuf-error.ts';
import { metaTypeError } from '#schema/structural/object-meta.ts';
import { type ApiError, badRequest } from '#kube/status.ts';
import { typeErrors } from '#schema/strict/type-errors.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import type { BodyType } from './media-type.ts';
import { textOf } from './read-body.ts';
import { refuseTooMany } from './size-limits.ts';

/** The kind that a body must hold. */
export type ExpectedBody = {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  /** Every group version has the kind, so any is accepted. */
  readonly anyVersion?: boolean;
  readonly kind: string;
  /** Undefined for custom resources. */
  readonly typeName: string | undefined;
  /** Kinds of the same group and version, for the texts of refusals. */
  readonly isKnownKind: (kind: string) => boolean;
  /** Older versions of the same form that old clients still send. */
  readonly aliases?: readonly string[];
};

/** A decoded body, with what strict validation needs of its text. */
export type DecodedBody = {
  readonly object: JsonObject;
  /** The JSON text the object came from; undefined for protobuf and YAML. */
  readonly text: string | undefined;
  readonly yamlDuplicates: readonly string[];
};

export function decodeBody(
  context: ServerContext,
  bytes: Uint8Array,
  type: BodyType,
  expected: ExpectedBody,
): DecodedBody {
  if (type === 'protobuf')
    return { object: fromProtobuf(bytes, expected), text: undefined, yamlDuplicates: [] };
  const text = textOf(bytes);
  if (type === 'json')
    return { object: checked(jsonBody(text, expected), text, expected), text, yamlDuplicates: [] };
  const { value, duplicates } = parseYaml(context, text, expected);
  return { object: checked(value, text, expected), text: undefined, yamlDuplicates: duplicates };
}

function fromProtobuf(bytes: Uint8Array, expected: ExpectedBody): JsonObject {
  try {
    const { apiVersion, kind, object } = decodeProtobuf(bytes, expected);
    return withKind({ ...object, apiVersion, kind }, expected);
  } catch (error) {
    if (error instanceof ProtobufError)
      throw unrecognized(expected, error.message, bytes.length === 0 ? '<empty>' : hexOf(bytes));
    throw error;
  }
}

function jsonBody(text: string, expected: ExpectedBody): Json {
  if (isTooDeep(text)) throw badRequest(tooDeep);
  try {
    return parseJson(text);
  } catch {
    throw unrecognized(
      expected,
      `couldn't get version/kind; json parse error: ${jsonSyntaxError(text)}`,
      shown(text),
    );
  }
}

function parseYaml(
  context: ServerContext,
  text: string,
  expected: ExpectedBody,
): { value: Json; duplicates: readonly string[] } {
  try {
    return context.yaml.parse(text);
  } catch (error) {
    throw unrecognized(expected, error instanceof Error ? error.message : 'yaml: not a document', hex(text));
  }
}

const unrecognized = (expected: ExpectedBody, why: string, dump: string): ApiError =>
  badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${why}${dump === '' ? '' : ` (${dump})`}`,
  );

export const tooDeep = 'the body of the request nests deeper than 500 levels, which no object needs';

const dumpLimit = 1024;

/** The body as a real server repeats it: as it is when it looks like an object, in hex otherwise. */
function shown(text: string): string {
  if (text === '') return '<empty>';
  return text.startsWith('{') ? cut(text) : hex(text);
}

const cut = (text: string): string => (text.length > dumpLimit ? `${text.slice(0, dumpLimit)} ...` : text);

const hex = (text: string): string => hexOf(new TextEncoder().encode(text.slice(0, dumpLimit)));

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes.slice(0, dumpLimit), (byte) => byte.toString(16).padStart(2, '0')).join('');

const goNames: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  bigint: 'number',
  boolean: 'bool',
};

function checked(value: Json, text: string, expected: ExpectedBody): JsonObject {
  if (!isObject(value)) {
    const what = Array.isArray(value) ? 'array' : (goNames[typeof value] ?? 'null');
    const target =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type ${target}`;
    throw unrecognized(expected, why, shown(text));
  }
  return expected.typeName === undefined ? withCustomKind(value, expected) : withKind(value, expected);
}

/** A built-in object: kind and apiVersion may be left out but must not differ; values have the right types. */
function withKind(object: JsonObject, expected: ExpectedBody): JsonObject {
  refuseTooMany(object);
  const kind = textAt(object, 'kind') || expected.kind;
  const given = textAt(object, 'apiVersion') || expected.apiVersion;
  const apiVersion = expected.aliases?.includes(given) === true ? expected.apiVersion : given;
  const fault = kindFault(kind, apiVersion, expected);
  if (fault !== undefined) throw unhandled(expected, kind, fault);
  const { typeName = '' } = expected;
  const error = typeErrors(typeName, object);
  if (error !== undefined) throw unhandled(expected, kind, error);
  return { ...object, kind, apiVersion };
}

export const scheme = 'pkg/api/legacyscheme/scheme.go:30';

function kindFault(kind: string, apiVersion: string, expected: ExpectedBody): string | undefined {
  const foreign = apiVersion !== expected.apiVersion && expected.anyVersion !== true;
  if (foreign || !(kind === expected.kind || expected.isKnownKind(kind))) {
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "${scheme}"`;
  }
  if (kind === expected.kind) return undefined;
  const group = expected.group === '' ? 'core' : (expected.group.split('.')[0] ?? '');
  return `converting (${expected.version}.${kind}) to (${group}.${expected.kind}): unknown conversion`;
}

export const unhandled = (expected: ExpectedBody, kind: string, why: string): ApiError =>
  badRequest(`${kind} in version "${expected.version}" cannot be handled as a ${expected.kind}: ${why}`);

/** A custom object must have kind and apiVersion. */
function withCustomKind(object: JsonObject, expected: ExpectedBody): JsonObject {
  const kind = textAt(object, 'kind') ?? '';
  const apiVersion = textAt(object, 'apiVersion') ?? '';
  if (kind === '') throw missingKind(object);
  if (apiVersion !== expected.apiVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
    );
  }
  if (kind !== expected.kind) {
    throw badRequest(`the kind in the data (${kind}) does not match the expected kind (${expected.kind})`);
  }
  const misshapen = isObject(object['metadata'] ?? {}) ? metaTypeError(metaOf(object)) : notMetadata;
  if (misshapen !== undefined) throw unhandled(expected, kind, misshapen);
  return object;
}

const notMetadata =
  'json: cannot unmarshal metadata that is not an object into Go value of type v1.ObjectMeta';

const missingKind = (object: JsonObject): ApiError =>
  badRequest(`Object 'Kind' is missing in '${printJson(object)}'`);

/** A built-in object as a real server would write it back. */
export const canonical = (expected: Pick<ExpectedBody, 'typeName'>, object: JsonObject): JsonObject =>
  expected.typeName === undefined ? object : canonicalObject(expected.typeName, object);
