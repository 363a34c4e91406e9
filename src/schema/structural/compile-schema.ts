import type { JsonObject } from '#base/json.ts';
import { isObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Shape } from '#kube/shape.ts';
import { checkRules, type RuleInput } from './check-rules.ts';
import { runCheck } from './check-value.ts';
import { defaultObject } from './defaults.ts';
import { pruneObject, unknownPaths } from './prune.ts';
import { newRun, type ValidationRun } from './run.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';
import { resourceShapeOf } from './shape-of-schema.ts';
import { memoizeByObject } from '#base/memoize.ts';

/**
 * What the schema of a custom resource does to its objects. The order of a write is prune, defaults,
 * validate. No function changes its input; unchanged parts are shared with the result.
 */
export type CompiledSchema = {
  /** Drops unknown fields, nulls without meaning and metadata that ObjectMeta does not have. */
  readonly prune: (object: KubeObject) => KubeObject;
  /** The paths that pruning drops, in the order of the server's warnings. */
  readonly unknownFieldPaths: (object: KubeObject) => readonly string[];
  readonly defaults: (object: KubeObject) => KubeObject;
  /** `old` makes it an update: what was wrong before and is unchanged is tolerated. */
  readonly validate: (object: KubeObject, old?: KubeObject) => readonly FieldError[];
  /** An update through the status subresource: of the schema, only the part about status counts. */
  readonly validateStatus: (object: KubeObject, old?: KubeObject) => readonly FieldError[];
  readonly shape: () => Shape;
};

/** The compiled form of an openAPIV3Schema. Cheap: everything below the root is compiled when first needed. */
export const compileSchema = memoizeByObject((schema: JsonObject) => compile(nodeOf(schema)));

/** What pruning would drop from an object of this schema. */
export const unknownFieldPaths = (schema: JsonObject, object: KubeObject): readonly string[] =>
  compileSchema(schema).unknownFieldPaths(object);

function compile(node: SchemaNode): CompiledSchema {
  let shape: Shape | undefined;
  return {
    prune: (object) => pruneObject(object, node),
    unknownFieldPaths: (object) => unknownPaths(object, node),
    defaults: (object) => defaultObject(object, node),
    validate: (object, old) => validate(node, object, old),
    validateStatus: (object, old) => validateStatus(node, object, old),
    shape: () => (shape ??= resourceShapeOf(node)),
  };
}

const none: readonly FieldError[] = [];

function validate(node: SchemaNode, object: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const run = runCheck(node, { value: object, old }, newRun(''));
  const errors = errorsOf(run, () => old === undefined || listsWereFine(node, old));
  return withRules(node, { object, old, errors });
}

function validateStatus(
  node: SchemaNode,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly FieldError[] {
  const status = node.property('status');
  const value = Object.hasOwn(object, 'status') ? object['status'] : undefined;
  if (status === undefined || value === undefined) return withRules(node, { object, old, errors: none });
  const before = isObject(old) && Object.hasOwn(old, 'status') ? old['status'] : undefined;
  const run = runCheck(status, { value, old: before }, newRun('status'));
  const errors = errorsOf(run, () => old === undefined || listsWereFine(node, old));
  return withRules(node, { object, old, errors });
}

function withRules(node: SchemaNode, input: RuleInput): readonly FieldError[] {
  const found = checkRules(node, input);
  return found.length === 0 ? input.errors : [...input.errors, ...found];
}

function errorsOf(run: ValidationRun, enforceLists: () => boolean): readonly FieldError[] {
  if (run.errors.length === 0 && run.embedded.length === 0 && run.lists.length === 0) return none;
  const lists = run.lists.length > 0 && enforceLists() ? run.lists : none;
  return [...run.errors, ...run.embedded, ...lists];
}

/** Duplicates are only refused when the stored object had none. */
function listsWereFine(node: SchemaNode, old: KubeObject): boolean {
  return runCheck(node, { value: old, old: undefined }, newRun('')).lists.length === 0;
}
