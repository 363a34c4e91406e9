import type { Json } from '#base/json.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';
import { either, listOf, types, type Type } from './type.ts';

/** A result as providers hand it over. */
export type ResultValue = Json;

export const typeOfResult: Readonly<Record<ResultType, Type>> = {
  string: types.text,
  json: types.any,
  float: types.float,
  floats: listOf(types.float),
  floatOrFloats: either(types.float, listOf(types.float)),
};
