import { isArray, isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import { enoughErrors, forbidden, notSupported, type FieldError } from '#kube/field-error.ts';
import { checkListType, checkMapType } from './check-list-types.ts';
import { invalidAt } from './crd-error.ts';
import { listedChildren, namedChildren, onlyChild } from './schema-children.ts';

/** The position of a schema: at the root, or below the metadata of a resource. */
type SchemaPlace = {
  readonly path: string;
  readonly root: boolean;
  readonly insideMeta: boolean;
  /** Why defaults are not welcome here; empty where they are. */
  readonly noDefaults: string;
};

/** The keywords that a definition's schema may not use, and those that contradict each other. */
export function checkOpenApi(schema: JsonObject, place: SchemaPlace, errors: FieldError[]): void {
  if (errors.length >= enoughErrors) return;
  checkUnsupported(schema, place, errors);
  const { path } = place;
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${path}.uniqueItems`, why));
  }
  const additional = schema['additionalProperties'];
  if (hasMembers(schema['properties']) && (additional === false || isObject(additional))) {
    const why = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbidden(`${path}.additionalProperties`, why));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(
      invalidAt(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'),
    );
  }
  checkMapType(schema, path, errors);
  checkListType(schema, path, errors);
  checkChildren(schema, place, errors);
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords of JSON Schema that Kubernetes leaves out, and when they count as present. */
const unsupported: readonly (readonly [keyword: string, present: (value: Json) => boolean])[] = [
  ['id', (value) => value !== ''],
  ['additionalItems', (value) => value !== null],
  ['patternProperties', (value) => hasMembers(value)],
  ['definitions', (value) => hasMembers(value)],
  ['dependencies', (value) => value !== null],
  ['$ref', (value) => value !== null],
];

/** Whether a schema uses what cannot be read as a structural schema at all. */
export const isUnreadable = (schema: JsonObject): boolean =>
  isArray(schema['items']) ||
  unsupported.some(([keyword, present]) => present(schema[keyword] ?? null) && keyword in schema);

function checkUnsupported(
  schema: JsonObject,
  { path, insideMeta, noDefaults }: SchemaPlace,
  errors: FieldError[],
): void {
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  if (type !== '' && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  for (const [keyword, present] of unsupported) {
    if (!(keyword in schema) || !present(schema[keyword] ?? null)) continue;
    errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (type === 'null') {
    errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (listAt(schema, 'items').length > 0) {
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  }
  checkPlace(schema, { path, insideMeta, noDefaults }, errors);
}

function checkPlace(
  schema: JsonObject,
  { path, insideMeta, noDefaults }: Omit<SchemaPlace, 'root'>,
  errors: FieldError[],
): void {
  if (noDefaults !== '' && (schema['default'] ?? null) !== null) {
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  }
  if (insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(
      forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'),
    );
  }
}

const hasMembers = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length > 0;
const metaFields: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

function checkChildren(schema: JsonObject, place: SchemaPlace, errors: FieldError[]): void {
  const { path } = place;
  const resource = place.root || schema['x-kubernetes-embedded-resource'] === true;
  for (const { name, ...child } of namedChildren(schema, 'properties', path)) {
    const meta = resource && metaFields.has(name);
    checkOpenApi(
      child.schema,
      {
        path: child.path,
        root: false,
        insideMeta: place.insideMeta || meta,
        noDefaults: meta && place.root ? `in top-level ${name}` : place.noDefaults,
      },
      errors,
    );
  }
  const others = [
    ...onlyChild(schema, 'additionalProperties', path),
    ...onlyChild(schema, 'items', path),
    ...onlyChild(schema, 'not', path),
    ...['allOf', 'anyOf', 'oneOf', 'items'].flatMap((keyword) => listedChildren(schema, keyword, path)),
  ];
  for (const child of others) checkOpenApi(child.schema, { ...place, path: child.path, root: false }, errors);
}
