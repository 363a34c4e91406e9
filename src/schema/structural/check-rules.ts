import type { JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { runRules } from './rule-run.ts';
import { ruleTreeOf } from './rule-tree.ts';
import type { SchemaNode } from './schema-node.ts';

/** What the rules of a schema look at. */
export type RuleInput = {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  /** What the schema itself already found: rules are not evaluated on objects of the wrong form. */
  readonly errors: readonly FieldError[];
};

const none: readonly FieldError[] = [];

/** Errors after which rules could meet values that they were not written for. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notChecked: readonly FieldError[] = [
  {
    reason: 'FieldValueInvalid',
    field: '<nil>',
    message:
      'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
];

/** The one place where `x-kubernetes-validations` are evaluated. */
export function checkRules(node: SchemaNode, { object, old, errors }: RuleInput): readonly FieldError[] {
  const tree = ruleTreeOf(node);
  if (tree === undefined) return none;
  if (errors.some(({ reason }) => blocking.has(reason))) return notChecked;
  return runRules(tree, object, old);
}
