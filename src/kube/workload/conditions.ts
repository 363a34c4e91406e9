import type { Json, JsonObject } from '#base/json.ts';
import { conditionsOf, removeCondition } from '#kube/conditions.ts';

/** Use `removeCondition` of kube/conditions.ts instead. */
export const withoutCondition = (object: JsonObject, type: string): readonly Json[] =>
  removeCondition(conditionsOf(object), type);
