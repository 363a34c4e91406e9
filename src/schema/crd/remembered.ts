import type { JsonObject } from '#base/json.ts';

const found = new WeakMap<JsonObject, Map<string, unknown>>();

/** What a check of a schema found, computed once: schemas are never changed. */
export function remembered<Found>(schema: JsonObject, question: string, ask: () => Found): Found {
  let answers = found.get(schema);
  if (answers === undefined) found.set(schema, (answers = new Map()));
  if (!answers.has(question)) answers.set(question, ask());
  return answers.get(question) as Found;
}
