import { isObject, listAt, objectAt, textAt, at, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { flagField, message, messageField, textField } from '#embedded/kinds/protobuf/write.ts';

/** The media type in kubectl's Accept header; kubectl cannot parse it in a response, since `@` is not allowed there. */
export const askedOlderOpenApi = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
export const olderOpenApiType = askedOlderOpenApi.replace('@', '.');

/**
 * An OpenAPI v2 document in protobuf: the definitions, by which kubectl checks lists and older ones of it check
 * everything; and which parameters a patch takes. The numbers are those of its schema, `openapi.v2`.
 */
export function olderProtobuf(document: JsonObject): Uint8Array {
  const definitions = Object.entries(objectAt(document, 'definitions') ?? {});
  const paths = Object.entries(objectAt(document, 'paths') ?? {});
  return message([
    textField(1, textAt(document, 'swagger') ?? ''),
    messageField(2, [
      textField(1, textAt(document, 'info', 'title') ?? ''),
      textField(2, textAt(document, 'info', 'version') ?? ''),
    ]),
    messageField(
      8,
      paths.flatMap(([name, item]) => pathItem(name, item)),
    ),
    messageField(
      9,
      definitions.map(([name, schema]) => namedSchema(name, schema)),
    ),
  ]);
}

const named = (name: string, value: readonly Uint8Array[]): readonly Uint8Array[] => [
  textField(1, name),
  messageField(2, value),
];
const namedSchema = (name: string, schema: Json): Uint8Array =>
  messageField(1, named(name, schemaFields(schema)));

function schemaFields(schema: Json): readonly Uint8Array[] {
  const described = optionalText(4, textAt(schema, 'description'));
  const reference = textAt(schema, '$ref');
  if (reference !== undefined) return [textField(1, reference), ...described];
  const required = listAt(schema, 'required').filter((each) => typeof each === 'string');
  return [
    ...optionalText(2, textAt(schema, 'format')),
    ...described,
    ...extensions(31, schema),
    ...required.map((name) => textField(19, name)),
    ...additional(at(schema, 'additionalProperties')),
    ...optional(textAt(schema, 'type'), (type) => messageField(22, [textField(1, type)])),
    ...optional(at(schema, 'items'), (items) => messageField(23, [messageField(1, schemaFields(items))])),
    ...optional(objectAt(schema, 'properties'), (properties) =>
      messageField(
        25,
        Object.entries(properties).map(([name, each]) => namedSchema(name, each)),
      ),
    ),
  ];
}

function additional(value: Json | undefined): readonly Uint8Array[] {
  if (typeof value === 'boolean') return [messageField(21, [flagField(2, value)])];
  return isObject(value) ? [messageField(21, [messageField(1, schemaFields(value))])] : [];
}

/** Values of extensions are YAML, of which JSON is a part. */
const extensions = (number: number, holder: Json): readonly Uint8Array[] =>
  Object.entries(isObject(holder) ? holder : {})
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, value]) => messageField(number, named(name, [textField(2, printJson(value))])));

/** A path counts where something can be patched: kubectl looks there for what a kind's writes take. */
function pathItem(name: string, item: Json): readonly Uint8Array[] {
  const patch = objectAt(item, 'patch');
  if (patch === undefined) return [];
  const parameters = [...listAt(item, 'parameters'), ...listAt(patch, 'parameters')]
    .filter((each) => textAt(each, 'in') === 'query')
    .map((each) => queryParameter(textAt(each, 'name') ?? ''));
  return [messageField(2, named(name, [messageField(8, [...parameters, ...extensions(13, patch)])]))];
}

const queryParameter = (name: string): Uint8Array =>
  messageField(8, [
    messageField(1, [messageField(2, [messageField(3, [textField(2, 'query'), textField(4, name)])])]),
  ]);

const optional = <Value>(
  value: Value | undefined,
  field: (value: Value) => Uint8Array,
): readonly Uint8Array[] => (value === undefined ? [] : [field(value)]);
const optionalText = (number: number, text: string | undefined): readonly Uint8Array[] =>
  optional(text, (value) => textField(number, value));
