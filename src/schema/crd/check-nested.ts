import { equalJson, isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { enoughErrors, forbidden, type FieldError } from '#kube/field-error.ts';
import { patternOf } from '#schema/structural/pattern.ts';
import { invalidAt } from './crd-error.ts';
import { listedChildren, namedChildren, onlyChild } from './schema-children.ts';

/** The two spellings of int-or-string that may name types inside of anyOf. */
export const isIntOrStringAnyOf = (schema: JsonObject): boolean => equalJson(schema['anyOf'], intOrString);
export const isIntOrStringAllOf = (schema: JsonObject): boolean =>
  equalJson(objectAt({ first: listAt(schema, 'allOf')[0] ?? null }, 'first')?.['anyOf'], intOrString);

const intOrString: Json = [{ type: 'integer' }, { type: 'string' }];

type Nested = {
  readonly path: string;
  readonly skip: { readonly anyOf: boolean; readonly firstAllOf: boolean };
};

const noSkip = { anyOf: false, firstAllOf: false };

/** Inside of allOf, anyOf, oneOf and not, schemas may only validate values, not define structure. */
export function checkNestedKeywords(schema: JsonObject, { path, skip }: Nested, errors: FieldError[]): void {
  const inside = [
    ...(skip.anyOf ? [] : listedChildren(schema, 'anyOf', path)),
    ...listedChildren(schema, 'oneOf', path),
    ...onlyChild(schema, 'not', path),
  ];
  for (const child of inside) checkNested(child.schema, { path: child.path, skip: noSkip }, errors);
  listedChildren(schema, 'allOf', path).forEach((child, i) => {
    checkNested(
      child.schema,
      { path: child.path, skip: { ...noSkip, anyOf: skip.firstAllOf && i === 0 } },
      errors,
    );
  });
}

export function checkPattern(schema: JsonObject, path: string, errors: FieldError[]): void {
  const source = schema['pattern'];
  const pattern = typeof source === 'string' && source !== '' ? patternOf(source) : undefined;
  if (pattern?.type !== 'bad') return;
  const why = `must be a valid regular expression, but isn't: ${pattern.why}`;
  errors.push(invalidAt(`${path}.pattern`, source, why));
}

/** The keywords that are forbidden there, and the server's text for each. */
const structural: readonly (readonly [keyword: string, wanted: string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['externalDocs', 'undefined'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

function checkNested(schema: JsonObject, nested: Nested, errors: FieldError[]): void {
  const { path } = nested;
  if (errors.length >= enoughErrors) return;
  checkNestedKeywords(schema, nested, errors);
  checkPattern(schema, path, errors);
  const inside = [...onlyChild(schema, 'items', path), ...namedChildren(schema, 'properties', path)];
  for (const child of inside) checkNested(child.schema, { path: child.path, skip: noSkip }, errors);
  for (const [keyword, wanted] of structural) {
    const value = schema[keyword] ?? null;
    const said = wanted === 'undefined' ? value !== null : saysSomething(value);
    if (said) errors.push(forbidden(`${path}.${keyword}`, `must be ${wanted} to be structural`));
  }
  if (isObject(objectAt(schema, 'properties', 'metadata'))) {
    errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

const saysSomething = (value: Json): boolean =>
  value !== null && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
