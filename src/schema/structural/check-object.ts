import { isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import { placeName, report, reportInvalid, type ValueCheck, type ValidationRun } from './run.ts';
import type { SchemaNode } from './schema-node.ts';

type ObjectCheck = (value: JsonObject, old: Json | undefined, run: ValidationRun) => void;

/** How the checks of members are found; made on demand. */
export type MemberChecks = {
  property(name: string): ValueCheck | undefined;
  additional(): ValueCheck | undefined;
};

/** The number of members, the members themselves, and those that are required. */
export function objectCheck(node: SchemaNode, members: MemberChecks): ObjectCheck {
  const { minProperties, maxProperties, additionalProperties } = node.schema;
  const required = listAt(node.schema, 'required').filter((each) => typeof each === 'string');
  const limited = typeof minProperties === 'number' || typeof maxProperties === 'number';
  return (value, old, run) => {
    if (limited) checkCount(Object.keys(value).length, node.schema, run);
    const before = isObject(old) ? old : undefined;
    for (const key in value) {
      const check = members.property(key);
      if (check !== undefined) checkMember(value, { check, key, step: key, before }, run);
      else if (additionalProperties === false) notAllowed(key, run);
      else {
        const additional = members.additional();
        if (additional !== undefined)
          checkMember(value, { check: additional, key, step: { key }, before }, run);
      }
    }
    for (const name of required) {
      if (!Object.hasOwn(value, name)) report(run, 'FieldValueRequired', 'Required value', name);
    }
  };
}

function checkCount(count: number, { minProperties, maxProperties }: JsonObject, run: ValidationRun): void {
  if (typeof minProperties === 'number' && count < minProperties) {
    reportInvalid(run, String(count), `should have at least ${minProperties} properties`);
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    report(run, 'FieldValueTooMany', `Too many: ${count}: must have at most ${maxProperties} items`);
  }
}

type Member = {
  readonly check: ValueCheck;
  readonly key: string;
  readonly step: string | { readonly key: string };
  readonly before: JsonObject | undefined;
};

function checkMember(value: JsonObject, { check, key, step, before }: Member, run: ValidationRun): void {
  const old = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
  run.steps.push(step);
  check(value[key] ?? null, old, run);
  run.steps.pop();
}

function notAllowed(key: string, run: ValidationRun): void {
  report(
    run,
    'FieldValueInvalid',
    `Invalid value: "": ${placeName(run)}.${key} in body is a forbidden property`,
  );
}
