import { at, isArray, isObject, listAt, objectAt, textAt } from '#base/json.ts';
import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';

const kindMark = 'x-kubernetes-group-version-kind';

/** OpenAPI v2 as one document for all group versions, made from their v3 documents. */
export function olderDocument(documents: readonly JsonObject[], serverVersion: string): JsonObject {
  const definitions = new Map<string, JsonObject>();
  const paths: MutableJsonObject = {};
  for (const document of documents) {
    for (const [name, schema] of Object.entries(objectAt(document, 'components', 'schemas') ?? {}))
      definitions.set(name, withKinds(olderSchema(schema), definitions.get(name)));
    for (const [name, item] of Object.entries(objectAt(document, 'paths') ?? {}))
      paths[name] = pathItem(item);
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: serverVersion },
    paths,
    definitions: Object.fromEntries([...definitions].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** A type such as DeleteOptions belongs to every group version that has it. */
function withKinds(schema: JsonObject, known: JsonObject | undefined): JsonObject {
  const before = listAt(known, kindMark);
  if (before.length === 0) return schema;
  const names = new Set(before.map(kindText));
  const more = listAt(schema, kindMark).filter((each) => !names.has(kindText(each)));
  return { ...schema, [kindMark]: [...before, ...more] };
}

const kindText = (kind: Json): string =>
  ['group', 'version', 'kind'].map((key) => textAt(kind, key) ?? '').join(' ');

/** Members that v2 does not have, or that real servers leave out of it. */
const unknownToV2: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default']);

function olderSchema(schema: Json): JsonObject {
  if (!isObject(schema)) return {};
  const kept: MutableJsonObject = {};
  const reference = referenceOf(schema);
  // What may hold anything is not to be checked by its other members.
  const isOpen = at(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const isDescribed = reference === undefined && !isOpen;
  for (const [name, value] of Object.entries(schema)) {
    const isKept = isDescribed || name === 'description' || name.startsWith('x-');
    if (isKept && !unknownToV2.has(name)) kept[name] = olderMember(name, value);
  }
  if (reference !== undefined) return { $ref: reference, ...kept };
  if (isDescribed && isTextOrNumber(schema)) kept['type'] = 'string';
  return kept;
}

function olderMember(name: string, value: Json): Json {
  if (name === 'items' || name === 'additionalProperties')
    return isObject(value) ? olderSchema(value) : value;
  if (name !== 'properties' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, olderSchema(each)]));
}

/** Numbers that may be texts are texts, as v2 has no alternatives. */
const isTextOrNumber = (schema: Json): boolean =>
  textAt(schema, 'type') === undefined &&
  (isArray(at(schema, 'oneOf')) || at(schema, 'x-kubernetes-int-or-string') === true);

/** `$ref`, also where v3 wraps it in `allOf`. */
function referenceOf(schema: Json): string | undefined {
  const [only, ...others] = listAt(schema, 'allOf');
  const wrapped = others.length === 0 ? textAt(only, '$ref') : undefined;
  return (textAt(schema, '$ref') ?? wrapped)?.replace('#/components/schemas/', '#/definitions/');
}

function pathItem(item: Json): JsonObject {
  const older: MutableJsonObject = {};
  for (const [name, value] of Object.entries(isObject(item) ? item : {})) {
    if (name === 'parameters') older[name] = listAt(item, name).map(olderParameter);
    else older[name] = isObject(value) ? olderOperation(value) : value;
  }
  return older;
}

function olderOperation(operation: JsonObject): JsonObject {
  const { parameters: _given, requestBody, responses, ...rest } = operation;
  const given = listAt(operation, 'parameters').map(olderParameter);
  const parameters = [...bodyParameter(requestBody), ...given];
  return {
    consumes: requestBody === undefined ? ['*/*'] : contentTypes(requestBody),
    produces: contentTypes(at(responses, '200')),
    schemes: ['https'],
    ...rest,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: Object.fromEntries(
      Object.entries(isObject(responses) ? responses : {}).map(([code, each]) => [code, olderResponse(each)]),
    ),
  };
}

const contentTypes = (holder: Json | undefined): readonly string[] =>
  Object.keys(objectAt(holder, 'content') ?? {});

/** The schema of the first content type: the others have the same. */
function contentSchema(holder: Json | undefined): JsonObject {
  const [first] = Object.values(objectAt(holder, 'content') ?? {});
  const schema = at(first, 'schema');
  return schema === undefined ? {} : { schema: olderSchema(schema) };
}

function bodyParameter(body: Json | undefined): readonly JsonObject[] {
  if (body === undefined) return [];
  const required = at(body, 'required') === true ? { required: true } : {};
  return [{ name: 'body', in: 'body', ...required, ...contentSchema(body) }];
}

/** v2 has the members of a parameter's schema beside its name. */
function olderParameter(parameter: Json): JsonObject {
  if (!isObject(parameter)) return {};
  const { schema, ...rest } = parameter;
  return { ...(schema === undefined ? {} : olderSchema(schema)), ...rest };
}

const olderResponse = (response: Json): JsonObject => ({
  description: textAt(response, 'description') ?? '',
  ...contentSchema(response),
});
