import { equalJson, isArray, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { badValue } from './go-value.ts';
import { report, type ValueCheck } from './run.ts';

/** Checks `enum`; undefined when the schema has none. */
export function enumCheck(schema: JsonObject): ValueCheck | undefined {
  const allowed = schema['enum'];
  if (!isArray(allowed) || allowed.length === 0) return undefined;
  const scalars = new Set<Json>(allowed.filter((each) => typeof each !== 'object' || each === null));
  // A float may be as large as a bigint and yet not be the same to a set.
  const others = allowed.filter(
    (each) => (typeof each === 'object' && each !== null) || typeof each === 'bigint',
  );
  const supported = allowed.map((each) => printJson(typeof each === 'string' ? each : printJson(each)));
  return (value, _old, run) => {
    if (scalars.has(value) || others.some((each) => equalJson(each, value))) return;
    const text = `Unsupported value: ${badValue(value)}: supported values: ${supported.join(', ')}`;
    report(run, 'FieldValueNotSupported', text);
  };
}
