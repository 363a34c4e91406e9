import { at, isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { nearestOf } from '#base/nearest.ts';
import type { FieldError } from '#kube/field-error.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { asError, type ReleaseFinding } from './release-finding.ts';

/** Fields that the schema does not have: the server drops them. */
export function unknownFields(schema: JsonObject, document: JsonObject): readonly ReleaseFinding[] {
  return compileSchema(schema)
    .unknownFieldPaths(document)
    .map((path) => {
      const above = path.slice(0, Math.max(path.lastIndexOf('.'), 0));
      const known = Object.keys(objectAt(schemaAt(schema, above), 'properties') ?? {});
      const near = nearestOf(nameIn(path), known);
      return asError({
        rule: 'unknown-field',
        path,
        message: 'is not a known field',
        remedy: near === undefined ? fewOf(known) : `did you mean ${near}?`,
      });
    });
}

const fewOf = (known: readonly string[]): string =>
  known.length === 0 || known.length > 12 ? 'remove it' : `known are ${known.join(', ')}`;

/** Values that the schema refuses. */
export function refusedValues(
  schema: JsonObject,
  document: Json,
  errors: readonly FieldError[],
): readonly ReleaseFinding[] {
  // An error without a field only reports that rules are not checked before the fields are valid.
  const named = errors.filter(({ field }) => field !== '<nil>');
  return (named.length === 0 ? errors : named).map(({ field, message, reason }) => {
    const isMissing = reason === 'FieldValueRequired';
    const remedy = isMissing ? `add ${nameIn(field)}` : nearValue(schema, document, field);
    const path = field === '<nil>' ? 'kind' : field;
    // The path is in the finding already.
    const finding = { rule: 'schema', path, message: message.replace(`: ${field} in body `, ': ') };
    return asError(remedy === undefined ? finding : { ...finding, remedy });
  });
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The allowed word that a mistyped one may have meant. */
function nearValue(schema: JsonObject, document: Json, path: string): string | undefined {
  const words = listAt(schemaAt(schema, path), 'enum').filter((each) => typeof each === 'string');
  const value = valueAt(document, path);
  if (words.length === 0 || typeof value !== 'string') return undefined;
  const near = nearestOf(value, words);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

type PathPart = { readonly name: string } | { readonly index: number };

const partsOf = (path: string): readonly PathPart[] =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    index === undefined ? { name: name ?? '' } : { index: Number(index) },
  );

/** The schema of the field at a path; undefined for a field that it does not have. */
function schemaAt(schema: JsonObject, path: string): JsonObject | undefined {
  let field: JsonObject | undefined = schema;
  for (const part of partsOf(path)) {
    field = 'index' in part ? objectAt(field, 'items') : objectAt(field, 'properties', part.name);
  }
  return field;
}

function valueAt(document: Json, path: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of partsOf(path)) {
    if ('index' in part) value = Array.isArray(value) ? (value as readonly Json[])[part.index] : undefined;
    else value = isObject(value) ? at(value, part.name) : undefined;
  }
  return value;
}
