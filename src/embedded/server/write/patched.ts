import { isArray, isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { isDeepValue, isTooDeep } from '#base/json-depth.ts';
import { jsonSyntaxError } from '#base/json-syntax.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { printGo } from '#kube/patch/go-print.ts';
import { applyJsonPatch } from '#kube/patch/json.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';
import { applyStrategicPatch } from '#kube/patch/strategic.ts';
import { badPatch, objectPatch } from '#kube/patch/undecodable.ts';
import { metaOf } from '#kube/object.ts';
import { metaTypeError } from '#schema/structural/object-meta.ts';
import type { Shape } from '#kube/shape.ts';
import { type ApiError, badRequest, invalidObject } from '#kube/status.ts';
import { strictMessage } from '#schema/strict/strict-errors.ts';
import { typeErrors } from '#schema/strict/type-errors.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import type { Call } from '#embedded/server/request/call.ts';
import { scheme, tooDeep, type ExpectedBody } from './decode.ts';
import type { PatchType } from './patch-type.ts';
import { faultsOf } from './strictness.ts';
import type { FieldValidation } from './write-options.ts';

/** A parsed patch that is not an apply. */
export type ParsedPatch = {
  readonly type: Exclude<PatchType, 'apply'>;
  readonly text: string;
  readonly value: Json;
};

export function parsePatch(type: ParsedPatch['type'], text: string): ParsedPatch {
  const value = parsed(text);
  return { type, text, value: type === 'json' ? value : objectPatch(value) };
}

function parsed(text: string): Json {
  if (isTooDeep(text)) throw badRequest(tooDeep);
  try {
    return parseJson(text);
  } catch {
    throw badPatch(jsonSyntaxError(text));
  }
}

/** The document after the patch, of whatever type it then is. */
export function applyPatch(patch: ParsedPatch, shape: Shape, document: JsonObject): Json {
  const outcome = patchedDocument(patch, shape, document);
  if (isDeepValue(outcome)) throw badOutcome(patch, tooDeep);
  return outcome;
}

function patchedDocument(patch: ParsedPatch, shape: Shape, document: JsonObject): Json {
  switch (patch.type) {
    case 'json':
      return applyJsonPatch(document, patch.value);
    case 'merge':
      return applyMergePatch(document, patch.value);
    case 'strategic':
      return applyStrategicPatch(shape, document, patch.value);
  }
}

/** The refusal of a patch whose outcome is no object of the kind. */
function badOutcome(patch: ParsedPatch, why: string): ApiError {
  const value = patch.type === 'strategic' ? printGo(patch.value) : patch.text;
  return invalidObject({ group: '', kind: '' }, '', [invalid('patch', value, why)]);
}

/** A built-in object after a patch: still of its kind, and of the right types. */
export function checkBuiltin(patch: ParsedPatch, expected: ExpectedBody, outcome: Json): JsonObject {
  if (!isObject(outcome)) throw badOutcome(patch, 'the patch left no object');
  const kind = textAt(outcome, 'kind') ?? '';
  const apiVersion = textAt(outcome, 'apiVersion') ?? '';
  const typeName =
    apiVersion === expected.apiVersion ? typeNameOf(expected.group, expected.version, kind) : undefined;
  if (typeName === undefined) {
    throw badOutcome(
      patch,
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "${scheme}"`,
    );
  }
  const fault = typeErrors(typeName, outcome);
  if (fault !== undefined) throw badOutcome(patch, fault);
  if (kind !== expected.kind) throw badOutcome(patch, `${kind} is not ${expected.kind}`);
  return outcome;
}

/** A custom object after a patch must keep its kind and version. */
export function checkCustom({ resource, warnings }: Call, patch: ParsedPatch, outcome: Json): JsonObject {
  if (!isObject(outcome)) throw badOutcome(patch, 'the patch left no object');
  const errors: FieldError[] = [];
  const { apiVersion = '', kind = '' } = outcome;
  if (apiVersion !== resource.apiVersion)
    errors.push(invalid('apiVersion', apiVersion, `must be ${resource.apiVersion}`));
  if (kind !== resource.kind) errors.push(invalid('kind', kind, `must be ${resource.kind}`));
  const misshapen = metaTypeError(metaOf(outcome));
  if (errors.length === 0 && misshapen !== undefined) throw badOutcome(patch, misshapen);
  if (errors.length === 0) return outcome;
  if (apiVersion !== resource.apiVersion) warnings.push(...strangers(outcome));
  const named = { group: resource.group, kind: typeof kind === 'string' ? kind : '' };
  throw invalidObject(named, textAt(outcome, 'metadata', 'name') ?? '', errors);
}

/** In a version that does not exist, kube-apiserver accepts only apiVersion, kind and metadata. */
const strangers = (object: JsonObject): readonly string[] =>
  Object.keys(object)
    .filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name))
    .map((name) => `unknown field ${JSON.stringify(name)}`);

/** Strict field validation of a patch: fields that it adds and the kind does not have. */
export function judgeOutcome(
  call: Call,
  patch: ParsedPatch,
  outcome: JsonObject,
  validation: FieldValidation,
): void {
  if (validation === 'Ignore') return;
  const faults = [...operationFaults(patch), ...faultsOf(call.resource, outcome, undefined)];
  if (faults.length === 0) return;
  if (validation === 'Strict') throw badOutcome(patch, strictMessage(faults));
  call.warnings.push(...faults);
}

const operationMembers = new Set(['op', 'path', 'from', 'value']);

/** Members of a JSON patch's operations that mean nothing. */
function operationFaults({ type, value }: ParsedPatch): readonly string[] {
  if (type !== 'json' || !isArray(value)) return [];
  return value.flatMap((operation, at) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((name) => !operationMembers.has(name))
      .map((name) => `json patch unknown field ${JSON.stringify(`[${at}].${name}`)}`),
  );
}
