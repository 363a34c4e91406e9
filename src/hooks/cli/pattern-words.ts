import { durationPattern } from '#base/duration.ts';
import { isObject, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';

/** Messages for patterns of our schemas. */
const words: Readonly<Record<string, string>> = {
  [durationPattern]: 'is not a duration: use one such as 500ms, 30s, 5m or 1h30m',
};

/**
 * A message if the text at a path such as `spec.metrics[0].interval` does not match its pattern; undefined if it
 * does, or if there is no message for the pattern.
 */
export function patternProblem(schema: JsonObject, value: Json, path: string): string | undefined {
  let field: JsonObject | undefined = schema;
  let found: Json | undefined = value;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) {
      field = objectAt(field, 'items');
      found = Array.isArray(found) ? (found as readonly Json[])[Number(index)] : undefined;
    } else if (name !== undefined) {
      field = objectAt(field, 'properties', name);
      found = isObject(found) ? found[name] : undefined;
    }
  }
  const pattern = textAt(field, 'pattern');
  if (pattern === undefined || typeof found !== 'string' || new RegExp(pattern).test(found)) return undefined;
  const message = words[pattern];
  return message === undefined ? undefined : `${JSON.stringify(found)} ${message}`;
}
