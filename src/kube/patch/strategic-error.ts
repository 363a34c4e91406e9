import type { Json, JsonObject } from '#base/json.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import { goType, printGo } from './go-print.ts';

/** Real servers answer most mistakes in strategic patches with a bare 500. */
export const brokenPatch = (message: string): ApiError => new ApiError({ code: 500, reason: '', message });

export const notAList = (value: Json): ApiError =>
  brokenPatch(`expected a []interface {}, but received a ${goType(value)}`);
export const noMergeKey = (item: Json, key: string): ApiError =>
  brokenPatch(`map: ${printGo(item)} does not contain declared merge key: ${key}`);
export const unknownDirective = (directive: Json, patch: JsonObject): ApiError =>
  brokenPatch(`unknown patch type: ${printGo(directive)} in map: ${printGo(patch)}`);
export const wrongOrder = (patch: readonly Json[], order: readonly Json[]): ApiError =>
  brokenPatch(
    `The order in patch list:\n${printGo(patch)}\n doesn't match $setElementOrder list:\n${printGo(order)}\n`,
  );

export const badRetainKeys = (): ApiError => badRequest('invalid patch format of retainKeys');
export const badElementOrder = (): ApiError => badRequest('invalid patch format of setElementOrder list');
export const badPrimitiveList = (): ApiError => badRequest('invalid patch format of primitive list');

export const listOfLists = (): ApiError =>
  new ApiError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
