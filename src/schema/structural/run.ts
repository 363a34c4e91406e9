import type { Json } from '#base/json.ts';
import { enoughErrors, nameInPath, type FieldError, type FieldErrorType } from '#kube/field-error.ts';

/** A step into a value: a property, an index, or the key of a map. */
export type ValueStep = string | number | { readonly key: string };

/** One validation. The path is kept as a stack and printed only for errors. */
export type ValidationRun = {
  /** The path of the validated value, such as `status`; empty for a whole object. */
  readonly prefix: string;
  readonly steps: ValueStep[];
  errors: FieldError[];
  /** Errors that ratcheting treats in its own way: duplicates, and metadata of embedded resources. */
  readonly lists: FieldError[];
  readonly embedded: FieldError[];
  /** Checks made so far: among failed alternatives the one that got furthest is reported. */
  matches: number;
  /** True inside of allOf, anyOf, oneOf and not: only values are validated. */
  nested: boolean;
  /** Values that may still be looked at: a wide schema over a long list could take hours. */
  left: number;
};

/** Validates a value at the run's current place. `old` is undefined when there is nothing to compare with. */
export type ValueCheck = (value: Json, old: Json | undefined, run: ValidationRun) => void;

const mostValues = 5_000_000;

export function newRun(prefix: string): ValidationRun {
  return {
    prefix,
    steps: [],
    errors: [],
    lists: [],
    embedded: [],
    matches: 0,
    nested: false,
    left: mostValues,
  };
}

/** The place as messages name it: `spec.list[0].n`; empty at the root. */
export function placeName(run: ValidationRun): string {
  let name = '';
  run.steps.forEach((step, i) => {
    if (typeof step === 'number') name += `[${step}]`;
    else if (typeof step === 'string') name += i === 0 ? nameInPath(step) : `.${nameInPath(step)}`;
    else name += `.${nameInPath(step.key)}`;
  });
  return name;
}

/** The place as `field` names it for errors of the schema, with an optional member below it. */
function fieldName(run: ValidationRun, member = ''): string {
  const below = `${placeName(run)}${member === '' ? '' : `.${member}`}`.replace(/^\./, '');
  if (run.prefix === '') return below === '' ? '<nil>' : below;
  return below === '' ? run.prefix : `${run.prefix}.${below}`;
}

/** The place as list types and embedded resources name it: keys of maps in brackets. */
export function keyedName(run: ValidationRun): string {
  let name = run.prefix;
  for (const step of run.steps) {
    if (typeof step === 'number') name += `[${step}]`;
    else if (typeof step === 'string') name += name === '' ? nameInPath(step) : `.${nameInPath(step)}`;
    else name += `[${nameInPath(step.key)}]`;
  }
  return name;
}

export function report(run: ValidationRun, reason: FieldErrorType, message: string, member = ''): void {
  if (run.errors.length < enoughErrors) run.errors.push({ reason, field: fieldName(run, member), message });
}

export function keep(errors: FieldError[], error: FieldError): void {
  if (errors.length < enoughErrors) errors.push(error);
}

/** `Invalid value: v: spec.x in body should …` */
export function reportInvalid(run: ValidationRun, quoted: string, should: string): void {
  report(run, 'FieldValueInvalid', `Invalid value: ${quoted}: ${placeName(run)} in body ${should}`);
}
