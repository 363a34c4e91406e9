import type { JsonObject } from '#base/json.ts';
import type { Shape } from '#kube/shape.ts';
import { duplicateFields, hasDuplicates } from './duplicate-fields.ts';
import { textFaults, type StrictFault } from './text-faults.ts';
import { unknownFields } from './unknown-fields.ts';

export type StrictInput = {
  /** The JSON text as it came; undefined when there is none, as after a patch or for YAML. */
  readonly text: string | undefined;
  readonly object: JsonObject;
  readonly shape: Shape;
  /** A custom resource is first read without a schema, then pruned; so its errors come in another order. */
  readonly custom: boolean;
};

/** `unknown field "spec.zz"`, `duplicate field "data.a"`, in a real server's order; at most a hundred. */
export function strictErrors(input: StrictInput): readonly string[] {
  const { text, object, shape } = input;
  const unknown = unknownFields(shape, object);
  const isRepetitive = text !== undefined && hasDuplicates(text, object);
  if (unknown.length === 0 && !isRepetitive) return none;
  const faults = input.custom ? customFaults(input, unknown) : builtinFaults(input, unknown);
  return firstTexts(faults);
}

function firstTexts(faults: readonly StrictFault[]): readonly string[] {
  const texts = new Set<string>();
  let room = mostCharacters;
  for (const fault of faults) {
    if (texts.size >= mostErrors || room <= 0) break;
    texts.add(strictText({ ...fault, path: fault.path.slice(0, room) }));
    room -= fault.path.length;
  }
  return [...texts];
}

/** The message of a refusal: `strict decoding error: unknown field "spec.zz", duplicate field "data.a"`. */
export const strictMessage = (errors: readonly string[]): string =>
  `strict decoding error: ${errors.join(', ')}`;

/** A Warning header's value: `299 - "unknown field \"spec.zz\""`. */
export const warningHeader = (text: string): string => `299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`;

const none: readonly string[] = [];
const mostErrors = 100;
const mostCharacters = 128 * 1024;

const strictText = ({ type, path }: StrictFault): string => `${type} field ${JSON.stringify(path)}`;
const asUnknown = (path: string): StrictFault => ({ type: 'unknown', path });

function builtinFaults({ text, shape }: StrictInput, unknown: readonly string[]): readonly StrictFault[] {
  return text === undefined ? unknown.map(asUnknown) : textFaults(text, shape);
}

function customFaults({ text, object }: StrictInput, unknown: readonly string[]): readonly StrictFault[] {
  const repeated = text === undefined ? [] : duplicateFields(text, object);
  const sorted = [...unknown].sort((left, right) => (left < right ? -1 : 1));
  return [...repeated.map((path): StrictFault => ({ type: 'duplicate', path })), ...sorted.map(asUnknown)];
}
