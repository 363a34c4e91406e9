import { isArray, isObject, type Json } from '#base/json.ts';
import { formatCheck } from '#schema/formats/formats.ts';
import { placeName, report, type ValueCheck, type ValidationRun } from './run.ts';
import type { SchemaNode } from './schema-node.ts';

/** The names of types that a schema accepts. */
function typesOf(node: SchemaNode): readonly string[] {
  if (node.intOrString) return ['integer', 'string'];
  return node.type === '' ? [] : [node.type];
}

/** The type of a value; a number without fraction that fits 64 bits is an integer. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
}

/** The format when it is one that is checked. */
function knownFormat(node: SchemaNode): string | undefined {
  const format = node.schema['format'];
  return typeof format === 'string' && formatCheck(format) !== undefined ? format : undefined;
}

/** Checks `type` and `nullable`; undefined when the schema has neither. */
export function typeCheck(node: SchemaNode): ValueCheck | undefined {
  const types = typesOf(node);
  const format = knownFormat(node);
  if (types.length === 0 && format === undefined) return undefined;
  const wanted = types.join(',');
  const numeric = types.includes('number') || types.includes('integer');
  return (value, _old, run) => {
    const actual = typeOf(value);
    if (value === null) {
      if (types.length > 0 && !node.nullable) wrongType(run, wanted, actual);
      return;
    }
    run.matches++;
    if (types.includes(actual) || (actual === 'integer' && types.includes('number'))) return;
    if (format !== undefined) {
      // The server validates texts and lists with a format by the format alone.
      const byFormat = actual === 'string' || actual === 'array';
      if (!byFormat) wrongType(run, format, wireFormat(actual));
      else if (numeric) wrongType(run, wanted, actual);
      return;
    }
    wrongType(run, wanted, actual);
  };
}

const wireFormats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };
const wireFormat = (type: string): string => wireFormats[type] ?? '';

export function wrongType(run: ValidationRun, wanted: string, got: string): void {
  const quoted = JSON.stringify(got);
  const text = `Invalid value: ${quoted}: ${placeName(run)} in body must be of type ${wanted}: ${quoted}`;
  report(run, 'FieldValueTypeInvalid', text);
}
