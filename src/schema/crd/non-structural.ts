import { isObject, listAt, objectAt, type JsonObject } from '#base/json.ts';
import { structuralViolations } from './check-schema.ts';
import type { CrdCondition } from './conditions.ts';

/** The condition NonStructuralSchema of a definition; undefined when its schemas are structural. */
export function nonStructural(crd: JsonObject): CrdCondition | undefined {
  const preserved = objectAt(crd, 'spec')?.['preserveUnknownFields'] === true;
  const texts = [
    ...(preserved ? ['spec.preserveUnknownFields: Invalid value: true: must be false'] : []),
    ...listAt(crd, 'spec', 'versions')
      .filter(isObject)
      .flatMap((version, i) => violationsOf(objectAt(version, 'schema', 'openAPIV3Schema'), i)),
  ].toSorted();
  if (texts.length === 0) return undefined;
  const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message };
}

/** Asked at every step of a definition's status, and the answer never changes. */
const known = new WeakMap<JsonObject, readonly string[]>();

function violationsOf(schema: JsonObject | undefined, i: number): readonly string[] {
  if (schema === undefined) return [];
  const before = known.get(schema);
  if (before !== undefined) return before;
  const path = `spec.versions[${i}].schema.openAPIV3Schema`;
  const found = structuralViolations(schema, path).map(({ field, message }) => `${field}: ${message}`);
  known.set(schema, found);
  return found;
}
