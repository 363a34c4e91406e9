import { equalJson, isObject, objectAt, without, type Json, type JsonObject } from '#base/json.ts';
import { enoughErrors, forbidden, required, type FieldError } from '#kube/field-error.ts';
import { checkNestedKeywords, checkPattern, isIntOrStringAllOf, isIntOrStringAnyOf } from './check-nested.ts';
import { invalidAt } from './crd-error.ts';
import { namedChildren, onlyChild } from './schema-children.ts';

type Level = 'root' | 'item' | 'field';

/** The rules that make a schema structural. */
export function checkStructure(
  schema: JsonObject,
  { level, path }: { level: Level; path: string },
  errors: FieldError[],
): void {
  if (errors.length >= enoughErrors) return;
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  if (type === 'array' && !isObject(schema['items']))
    errors.push(required(`${path}.items`, 'must be specified'));
  for (const child of onlyChild(schema, 'items', path))
    checkStructure(child.schema, { level: 'item', path: child.path }, errors);
  for (const child of namedChildren(schema, 'properties', path)) {
    checkStructure(child.schema, { level: 'field', path: child.path }, errors);
  }
  if (level === 'root' && (schema['additionalProperties'] ?? null) !== null) {
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  for (const child of onlyChild(schema, 'additionalProperties', path)) {
    checkStructure(child.schema, { level: 'field', path: child.path }, errors);
  }
  checkExtensions(schema, path, errors);
  const skip = { anyOf: isIntOrStringAnyOf(schema), firstAllOf: isIntOrStringAllOf(schema) };
  checkNestedKeywords(schema, { path, skip }, errors);
  checkPattern(schema, path, errors);
  checkTypes(schema, { level, path }, errors);
  checkResource(schema, { level, path }, errors);
}

const embedded = 'x-kubernetes-embedded-resource';
const preserve = 'x-kubernetes-preserve-unknown-fields';
const intOrString = 'x-kubernetes-int-or-string';

function checkExtensions(schema: JsonObject, path: string, errors: FieldError[]): void {
  if (schema[intOrString] !== true) return;
  for (const keyword of [preserve, embedded]) {
    if (schema[keyword] !== true) continue;
    errors.push(invalidAt(`${path}.${keyword}`, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

const untyped: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

type Place = { readonly level: Level; readonly path: string };

function checkTypes(schema: JsonObject, { level, path }: Place, errors: FieldError[]): void {
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  if (schema[embedded] === true && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, why) : invalidAt(`${path}.type`, type, why));
  } else if (type === '' && schema[intOrString] !== true && schema[preserve] !== true) {
    errors.push(required(`${path}.type`, untyped[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidAt(`${path}.type`, type, 'must be object at the root'));
  }
}

function checkResource(schema: JsonObject, { level, path }: Place, errors: FieldError[]): void {
  const isEmbedded = schema[embedded] === true;
  if (isEmbedded) checkEmbedded(schema, path, errors);
  if (level !== 'root' && !isEmbedded) return;
  for (const name of ['kind', 'apiVersion']) {
    const property = objectAt(schema, 'properties', name);
    if (property === undefined || property['type'] === 'string') continue;
    errors.push(invalidAt(`${path}.properties[${name}].type`, property['type'] ?? '', 'must be string'));
  }
  const metadata = objectAt(schema, 'properties', 'metadata');
  if (metadata === undefined) return;
  checkMetadata(metadata, { level, path: `${path}.properties[metadata]` }, errors);
}

function checkEmbedded(schema: JsonObject, path: string, errors: FieldError[]): void {
  if ((schema['additionalProperties'] ?? null) !== null) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(`${path}.additionalProperties`, why));
  }
  if (schema[preserve] === true || Object.keys(objectAt(schema, 'properties') ?? {}).length > 0) return;
  const why =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  errors.push(required(`${path}.properties`, why));
}

function checkMetadata(metadata: JsonObject, { level, path }: Place, errors: FieldError[]): void {
  if (metadata['type'] !== 'object')
    errors.push(invalidAt(`${path}.type`, metadata['type'] ?? '', 'must be object'));
  if (level !== 'root') return;
  const names = Object.keys(objectAt(metadata, 'properties') ?? {});
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  const rest = ['type', 'default', ...(onlyNames ? ['properties'] : [])].reduce<JsonObject>(
    without,
    metadata,
  );
  if (equalJson(withoutValueKeywords(rest), {})) return;
  const why =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  errors.push(forbidden(path, why));
}

/** An absent and an empty keyword are the same to the server. */
function withoutValueKeywords(schema: JsonObject): JsonObject {
  const said = Object.entries(schema).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(said);
}

const isEmpty = (value: Json): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
