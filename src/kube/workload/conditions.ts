import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';

/** Anything with `status.conditions`. */
type Conditioned = JsonObject;

export const withoutCondition = (object: Conditioned, type: string): readonly Json[] =>
  listAt(object, 'status', 'conditions').filter((each) => textAt(each, 'type') !== type);

/**
 * The conditions with this one in place of its predecessor, at the end. One that says the same (status and
 * reason) stays as it is; one of the same status keeps the moment of its transition.
 */
export function withCondition(object: Conditioned, condition: JsonObject): readonly Json[] {
  const conditions = listAt(object, 'status', 'conditions');
  const type = textAt(condition, 'type') ?? '';
  const before = conditions.find((each) => textAt(each, 'type') === type);
  const isSameStatus = before !== undefined && textAt(before, 'status') === textAt(condition, 'status');
  if (isSameStatus && textAt(before, 'reason') === textAt(condition, 'reason')) return conditions;
  const since = isSameStatus ? textAt(before, 'lastTransitionTime') : undefined;
  const others = conditions.filter((each) => each !== before);
  return [...others, since === undefined ? condition : { ...condition, lastTransitionTime: since }];
}
