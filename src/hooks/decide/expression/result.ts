import type { Json } from '#base/json.ts';
import { either, listOf, types, type Type } from './type.ts';

/**
 * What a provider promises of `result`. `json` is whatever the reply holds; `floatOrFloats` is a Prometheus query
 * whose answer's shape shows only when it is asked.
 */
export type ResultType = 'string' | 'json' | 'float' | 'floats' | 'floatOrFloats';

/** A result as providers hand it over. */
export type ResultValue = Json;

export const typeOfResult: Readonly<Record<ResultType, Type>> = {
  string: types.text,
  json: types.any,
  float: types.float,
  floats: listOf(types.float),
  floatOrFloats: either(types.float, listOf(types.float)),
};
