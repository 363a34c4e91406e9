import type { JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import type { SchemaNode } from './schema-node.ts';

/** What the rules of a schema look at. */
export type RuleInput = {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  /** What the schema itself already found: rules are not evaluated on objects of the wrong form. */
  readonly errors: readonly FieldError[];
};

const none: readonly FieldError[] = [];

/** The one place where `x-kubernetes-validations` (C7) are evaluated. No rule is evaluated yet. */
export function checkRules(_node: SchemaNode, _input: RuleInput): readonly FieldError[] {
  return none;
}
