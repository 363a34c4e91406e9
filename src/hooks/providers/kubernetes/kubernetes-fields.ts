import { at, isObject, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { JsonPathError, parsePath, type PathStep } from '#base/jsonpath-parse.ts';

/** The keys and indexes of a field to write. */
export type FieldPath =
  | { readonly type: 'path'; readonly steps: readonly (string | number)[] }
  | { readonly type: 'problem'; readonly message: string };

const annotations = 'metadata.annotations.';

/** The key in `metadata.annotations.KEY`, which may contain dots and slashes. */
export const annotationKey = (path: string): string | undefined =>
  path.startsWith(annotations) && path.length > annotations.length
    ? path.slice(annotations.length)
    : undefined;

/** The path of a field to write. A path that can match several fields is refused. */
export function fieldPath(path: string): FieldPath {
  const annotation = annotationKey(path);
  if (annotation !== undefined) return { type: 'path', steps: ['metadata', 'annotations', annotation] };
  try {
    const steps = parsePath(path).map(stepOf);
    const isPlain = steps.length > 0 && steps.every((step) => step !== undefined);
    if (isPlain) return { type: 'path', steps };
    return { type: 'problem', message: `${path} does not lead to one field: write it as {.spec.replicas}` };
  } catch (error) {
    if (error instanceof JsonPathError) return { type: 'problem', message: `${path}: ${error.message}` };
    throw error;
  }
}

const stepOf = (step: PathStep): string | number | undefined => {
  if (step.type === 'key') return step.key;
  return step.type === 'index' && step.index >= 0 ? step.index : undefined;
};

/** A patch that writes one field: a merge patch where possible, because it creates missing parents. */
export type FieldPatch = { readonly type: 'merge' | 'json'; readonly body: Json };

export function patchOf(steps: readonly (string | number)[], value: Json): FieldPatch {
  if (steps.every((step) => typeof step === 'string')) {
    const body = steps.toReversed().reduce<Json>((inner, step) => ({ [step]: inner }), value);
    return { type: 'merge', body };
  }
  const pointer = steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return { type: 'json', body: [{ op: 'replace', path: pointer, value }] };
}

/**
 * The value to write for a text, of the type that the field has now. A missing field outside metadata becomes a
 * number or a boolean if the text is one, and a string otherwise.
 */
export function typedValue(object: JsonObject, steps: readonly (string | number)[], text: string): Json {
  const now = valueAt(object, steps);
  if (typeof now === 'string' || (now === undefined && steps[0] === 'metadata')) return text;
  if (now === undefined && !/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    // The server reports the expected type.
    return text;
  }
}

function valueAt(object: JsonObject, steps: readonly (string | number)[]): Json | undefined {
  let current: Json | undefined = object;
  for (const step of steps) {
    if (typeof step === 'number') current = Array.isArray(current) ? (current[step] as Json) : undefined;
    else current = isObject(current) ? at(current, step) : undefined;
  }
  return current;
}
