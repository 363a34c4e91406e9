import type { Json, JsonObject } from '#base/json.ts';
import { isObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { keep, placeName, type ValueCheck, type ValidationRun } from './run.ts';
import { junctorsOf } from './schema-node.ts';

/** Makes the check of a schema; handed in because schemas nest. */
type CheckOf = (schema: JsonObject) => ValueCheck;

/** Checks anyOf, oneOf, allOf and not, in the server's order; undefined when the schema has none. */
export function junctorCheck(schema: JsonObject, checkOf: CheckOf): ValueCheck | undefined {
  const checks = [
    ...some(junctorsOf(schema, 'anyOf'), checkOf, anyOf),
    ...some(junctorsOf(schema, 'oneOf'), checkOf, oneOf),
    ...some(junctorsOf(schema, 'allOf'), checkOf, allOf),
    ...(isObject(schema['not']) ? [not(checkOf(schema['not']))] : []),
  ];
  if (checks.length === 0) return undefined;
  return (value, _old, run) => {
    const outer = run.nested;
    run.nested = true;
    // An alternative is not excused by what was there before: `not` would turn the excuse into an error.
    for (const check of checks) check(value, undefined, run);
    run.nested = outer;
  };
}

function some(
  schemas: readonly JsonObject[],
  checkOf: CheckOf,
  join: (checks: readonly ValueCheck[]) => ValueCheck,
): readonly ValueCheck[] {
  return schemas.length === 0 ? [] : [join(schemas.map(checkOf))];
}

type Outcome = { readonly errors: readonly FieldError[]; readonly matches: number };

/** Runs one alternative apart from the rest. */
function attempt(check: ValueCheck, value: Json, old: Json | undefined, run: ValidationRun): Outcome {
  const { errors, matches } = run;
  run.errors = [];
  run.matches = 0;
  check(value, old, run);
  const outcome = { errors: run.errors, matches: run.matches };
  run.errors = errors;
  run.matches = matches;
  return outcome;
}

/** These have no field of their own: the server names the root. */
function complain(run: ValidationRun, what: string): void {
  const field = run.prefix === '' ? '<nil>' : run.prefix;
  const message = `Invalid value: "": ${JSON.stringify(placeName(run))} ${what}`;
  keep(run.errors, { reason: 'FieldValueInvalid', field, message });
}

function take(run: ValidationRun, outcome: Outcome | undefined): void {
  if (outcome === undefined) return;
  run.matches += outcome.matches;
  for (const error of outcome.errors) keep(run.errors, error);
}

const further = (best: Outcome | undefined, next: Outcome): Outcome =>
  best === undefined || next.matches > best.matches ? next : best;

function anyOf(checks: readonly ValueCheck[]): ValueCheck {
  return (value, old, run) => {
    let best: Outcome | undefined;
    for (const check of checks) {
      const outcome = attempt(check, value, old, run);
      if (outcome.errors.length === 0) {
        run.matches += outcome.matches;
        return;
      }
      best = further(best, outcome);
    }
    complain(run, 'must validate at least one schema (anyOf)');
    take(run, best);
  };
}

function oneOf(checks: readonly ValueCheck[]): ValueCheck {
  return (value, old, run) => {
    let best: Outcome | undefined;
    let first: Outcome | undefined;
    let valid = 0;
    for (const check of checks) {
      const outcome = attempt(check, value, old, run);
      if (outcome.errors.length > 0) {
        best = further(best, outcome);
        continue;
      }
      valid++;
      first ??= outcome;
    }
    if (valid === 1) {
      take(run, first);
      return;
    }
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    complain(run, `must validate one and only one schema (oneOf). ${found}`);
    if (valid === 0) take(run, best);
  };
}

function allOf(checks: readonly ValueCheck[]): ValueCheck {
  return (value, old, run) => {
    let valid = 0;
    for (const check of checks) {
      const outcome = attempt(check, value, old, run);
      if (outcome.errors.length === 0) valid++;
      take(run, outcome);
    }
    if (valid === checks.length) return;
    complain(run, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  };
}

function not(check: ValueCheck): ValueCheck {
  return (value, old, run) => {
    if (attempt(check, value, old, run).errors.length === 0)
      complain(run, 'must not validate the schema (not)');
  };
}
