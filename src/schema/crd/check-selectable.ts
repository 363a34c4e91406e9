import { isArray, textAt, type Json, type JsonObject } from '#base/json.ts';
import { duplicate, required, tooMany, type FieldError } from '#kube/field-error.ts';
import { nodeOf, type SchemaNode } from '#schema/structural/schema-node.ts';
import { invalidAt } from './crd-error.ts';

const mostFields = 8;

/** The fields that field selectors may use: scalars that the schema has. */
export function checkSelectable(
  fields: Json | undefined,
  schema: JsonObject | undefined,
  path: string,
): readonly FieldError[] {
  if (!isArray(fields) || fields.length === 0) return [];
  if (schema === undefined) {
    return [
      invalidAt(
        path,
        '',
        'selectableFields may only be set when version.schema.openAPIV3Schema is not included',
      ),
    ];
  }
  const seen = new Set<string>();
  const errors = fields.flatMap((each, i) =>
    checkField(textAt(each, 'jsonPath') ?? '', { schema, seen, at: `${path}[${i}]` }),
  );
  return seen.size > mostFields ? [...errors, tooMany(path, seen.size, mostFields)] : errors;
}

type Place = { readonly schema: JsonObject; readonly seen: Set<string>; readonly at: string };

function checkField(jsonPath: string, { schema, seen, at }: Place): readonly FieldError[] {
  if (jsonPath === '') return [required(`${at}.jsonPath`)];
  const keys = jsonPath.replace(/^\./, '').split('.');
  const found = jsonPath.startsWith('.') ? nodeAt(nodeOf(schema), keys) : undefined;
  const meta = keys[0] === 'metadata';
  if (found === undefined && !meta) {
    return [invalidAt(`${at}.jsonPath`, jsonPath, 'is an invalid path: does not refer to a valid field')];
  }
  const errors: FieldError[] = [];
  if (meta) errors.push(invalidAt(at, jsonPath, 'must not point to fields in metadata'));
  else if (!scalars.has(found?.type ?? '')) errors.push(invalidAt(at, jsonPath, scalarsOnly));
  if (seen.has(jsonPath)) errors.push(duplicate(at, jsonPath));
  seen.add(jsonPath);
  return errors;
}

const scalars: ReadonlySet<string> = new Set(['string', 'boolean', 'integer']);
const scalarsOnly =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

function nodeAt(root: SchemaNode, keys: readonly string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const key of keys) node = node?.property(key);
  return node;
}
