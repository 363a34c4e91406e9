import { isArray, isNumber, isObject, type Json } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { checkEmbedded } from './check-embedded.ts';
import { enumCheck } from './check-enum.ts';
import { junctorCheck } from './check-junctors.ts';
import { listCheck } from './check-list.ts';
import { numberChecks } from './check-number.ts';
import { objectCheck, type MemberChecks } from './check-object.ts';
import { textChecks } from './check-text.ts';
import { typeCheck } from './check-type.ts';
import { keep, type ValueCheck, type ValidationRun } from './run.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';
import { sameValue } from './same-value.ts';
import { memoizeByObject } from '#base/memoize.ts';

/** The check of a schema, put together when it is first needed and kept. */
const checkOf = memoizeByObject((node: SchemaNode) => ratcheting(plainCheck(node)));

/** An update may leave alone what was wrong before. */
function ratcheting(check: ValueCheck): ValueCheck {
  return (value, old, run) => {
    if (old === undefined) {
      check(value, old, run);
      return;
    }
    if (old === value && typeof value === 'object') return;
    const before = run.errors.length;
    check(value, old, run);
    if (run.errors.length > before && sameValue(old, value)) run.errors.length = before;
  };
}

/** By the type of the value, as the server does: after a wrong type the other keywords are still checked. */
function plainCheck(node: SchemaNode): ValueCheck {
  const type = typeCheck(node);
  const junctors = junctorCheck(node.schema, (schema) => checkOf(nodeOf(schema)));
  const oneOfMany = enumCheck(node.schema);
  const byKind = kindCheck(node);
  return (value, old, run) => {
    if (--run.left < 0) return;
    type?.(value, old, run);
    if (value !== null) {
      junctors?.(value, old, run);
      byKind(value, old, run);
    }
    oneOfMany?.(value, old, run);
    run.matches += 2;
  };
}

function kindCheck(node: SchemaNode): ValueCheck {
  const texts = textChecks(node.schema);
  const numbers = numberChecks(node.schema);
  const list = listCheck(node, () => ofNode(node.items()));
  const object = objectCheck(node, memberChecks(node));
  return (value, old, run) => {
    run.matches++;
    if (typeof value === 'string') for (const check of texts) check(value, run);
    else if (isNumber(value)) for (const check of numbers) check(value, run);
    else if (isArray(value)) list(value, old, run);
    else if (isObject(value)) {
      object(value, old, run);
      if (node.embeddedResource && !run.nested) checkEmbedded(value, run);
    }
  };
}

const ofNode = (node: SchemaNode | true | undefined): ValueCheck | undefined =>
  node === undefined || node === true ? undefined : checkOf(node);

/** Checks of members are cached here: finding them again through their schemas would cost twice as much. */
function memberChecks(node: SchemaNode): MemberChecks {
  const found = new Map<string, ValueCheck>();
  let additional: ValueCheck | undefined;
  return {
    property: (name) => {
      const before = found.get(name);
      if (before !== undefined) return before;
      const check = ofNode(node.property(name));
      if (check !== undefined) found.set(name, check);
      return check;
    },
    additional: () => (additional ??= ofNode(node.additional())),
  };
}

/** Runs the check of a schema over a value and hands back what it found. */
export function runCheck(
  node: SchemaNode,
  values: { value: Json; old: Json | undefined },
  run: ValidationRun,
): ValidationRun {
  checkOf(node)(values.value, values.old, run);
  if (run.left < 0) keep(run.embedded, tooMuch);
  return run;
}

const tooMuch: FieldError = {
  reason: 'InternalError',
  field: '<nil>',
  message: 'Internal error: the object is too large to be checked with such a schema',
};
