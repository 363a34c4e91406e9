import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { applyJsonPatch } from '#kube/patch/json.ts';
import { JsonPatchFailed } from '#kube/patch/json-patch-error.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';
import { applyStrategicPatch } from '#kube/patch/strategic.ts';
import type { Shape } from '#kube/shape.ts';
import { ApiError } from '#kube/status.ts';
import type { PatchEntry } from '#registrations/kinds/reply.ts';

/** The object that a patch makes, or why it does not apply. */
export function patchedObject(
  shape: () => Shape,
  before: JsonObject,
  { type, patch }: PatchEntry,
): JsonObject | string {
  try {
    const after = appliers[type](shape, before, patch);
    return isObject(after) ? after : 'nothing is left of the object';
  } catch (error) {
    if (error instanceof JsonPatchFailed) return error.why;
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

const appliers: Readonly<
  Record<PatchEntry['type'], (shape: () => Shape, before: JsonObject, patch: Json) => Json>
> = {
  json: (_shape, before, patch) => applyJsonPatch(before, patch),
  merge: (_shape, before, patch) => applyMergePatch(before, patch),
  strategic: (shape, before, patch) => applyStrategicPatch(shape(), before, patch),
};
