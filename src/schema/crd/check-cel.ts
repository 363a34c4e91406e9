import { equalJson, isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { declOf } from '#schema/cel/decl.ts';
import type { FieldError } from '#kube/field-error.ts';
import { ruleErrorsOfDefault } from '#schema/structural/rule-run.ts';
import { newCosts, totalCostErrors, type CelCosts } from './check-cel-cost.ts';
import { checkRuleForm } from './check-cel-form.ts';
import { checkRuleExpressions } from './check-cel-rule.ts';
import { remembered } from './remembered.ts';
import { namedChildren, onlyChild, type Child } from './schema-children.ts';

/** The rules of all versions' schemas. Only for schemas that are in order otherwise. */
export function checkCel(spec: JsonObject): readonly FieldError[] {
  const schemas = listAt(spec, 'versions').map((each) => objectAt(each, 'schema', 'openAPIV3Schema'));
  const [first, ...others] = schemas;
  if (first === undefined) return [];
  if (others.every((each) => equalJson(each, first)))
    return checkSchemaRules(first, 'spec.validation.openAPIV3Schema');
  return schemas.flatMap((each, i) =>
    each === undefined ? [] : checkSchemaRules(each, `spec.versions[${i}].schema.openAPIV3Schema`),
  );
}

export function checkSchemaRules(schema: JsonObject, path: string): readonly FieldError[] {
  return remembered(schema, `rules ${path}`, () => ruleErrors(schema, path));
}

function ruleErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const costs = newCosts();
  const found = visit({ schema, path }, { root: true, cardinality: 1, uncorrelatable: undefined, costs });
  return [...found.form, ...found.expressions, ...totalCostErrors(costs, path)];
}

/** Errors of form keep the rules here and above from being read at all. */
type Found = { readonly form: readonly FieldError[]; readonly expressions: readonly FieldError[] };

type Place = {
  readonly root: boolean;
  readonly cardinality: number | undefined;
  readonly uncorrelatable: string | undefined;
  readonly costs: CelCosts;
};

function visit({ schema, path }: Child, place: Place): Found {
  const below = { ...place, root: false, cardinality: times(place.cardinality, mostElements(schema)) };
  const items = {
    ...below,
    uncorrelatable: place.uncorrelatable ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path),
  };
  const inner = [
    ...[...namedChildren(schema, 'properties', path), ...onlyChild(schema, 'additionalProperties', path)].map(
      (each) => visit(each, below),
    ),
    ...onlyChild(schema, 'items', path).map((each) => visit(each, items)),
  ];
  const rules = rulesOf(schema, path);
  const form = [
    ...inner.flatMap((each) => each.form),
    ...rules.flatMap((each) => checkRuleForm(each.rule, schema, each.path)),
  ];
  const own = form.length > 0 || rules.length === 0 ? [] : checkOwn({ schema, path }, rules, place);
  const expressions = [...inner.flatMap((each) => each.expressions), ...own];
  const fallback = schema['default'] ?? null;
  if (form.length > 0 || expressions.length > 0 || fallback === null) return { form, expressions };
  return { form, expressions: ruleErrorsOfDefault(schema, fallback, `${path}.default`) };
}

type PlacedRule = { readonly rule: JsonObject; readonly path: string };

const keyword = 'x-kubernetes-validations';

const rulesOf = (schema: JsonObject, path: string): readonly PlacedRule[] =>
  listAt(schema, keyword).map((each: Json, i) => ({
    rule: isObject(each) ? each : {},
    path: `${path}.${keyword}[${i}]`,
  }));

function checkOwn(
  { schema, path }: Child,
  rules: readonly PlacedRule[],
  { root, ...place }: Place,
): readonly FieldError[] {
  const decl = declOf(schema, root || schema['x-kubernetes-embedded-resource'] === true);
  if (decl === undefined) {
    const why = 'unable to convert structural schema to CEL declarations';
    const message = `Internal error: internal error: failed to construct type information for ${keyword} rules: ${why}`;
    return [{ reason: 'InternalError', field: `${path}.${keyword}`, message }];
  }
  return rules.flatMap((each) => checkRuleExpressions(each.rule, { ...place, decl, path: each.path }));
}

/** By how much a schema multiplies what is below it; undefined when it sets no limit. */
function mostElements(schema: JsonObject): number | undefined {
  const limit = (value: Json | undefined): number | undefined =>
    typeof value === 'number' ? Math.max(0, value) : undefined;
  if (schema['type'] === 'array') return limit(schema['maxItems']);
  if (schema['type'] !== 'object' || (schema['additionalProperties'] ?? null) === null) return 1;
  return limit(schema['maxProperties']);
}

const times = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : left * right;
