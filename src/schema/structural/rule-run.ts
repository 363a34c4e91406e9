import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import type { CompiledExpression } from '#schema/cel/compile-rule.ts';
import { Exhausted, newMeter, type Meter } from '#schema/cel/meter.ts';
import { isError, none, some, type CelValue } from '#schema/cel/value.ts';
import type { FieldError } from '#kube/field-error.ts';
import { ruleError, wordingFault, wordingOf, type Found } from './rule-error.ts';
import { isUnchanged, itemPlaces, memberPlace, rootPlace, type RulePlace } from './rule-place.ts';
import { ruleTreeBelow, type ValidationRule, type RuleNode } from './rule-tree.ts';

/** What all rules on one object may cost together. */
const totalBudget = 10_000_000;

type Run = {
  readonly meter: Meter;
  readonly errors: FieldError[];
  budget: number;
  /** Nothing more is evaluated: something was too expensive. */
  stopped: boolean;
};

/** All errors of the rules of a schema for an object. `old` makes it an update. */
export function runRules(tree: RuleNode, object: Json, old: Json | undefined): readonly FieldError[] {
  const run: Run = { meter: newMeter(), errors: [], budget: totalBudget, stopped: false };
  visit(tree, rootPlace(object, old), run);
  return run.errors;
}

/** The errors of the rules of a schema for its own default, as if it had always been there. */
export function ruleErrorsOfDefault(schema: JsonObject, value: Json, path: string): readonly FieldError[] {
  const tree = ruleTreeBelow(schema);
  if (tree === undefined) return [];
  const run: Run = { meter: newMeter(), errors: [], budget: totalBudget, stopped: false };
  visit(tree, { ...rootPlace(value, value), path, pair: undefined }, run);
  return run.errors;
}

function visit(tree: RuleNode, place: RulePlace, run: Run): void {
  const { value } = place;
  if (value === null || run.stopped) return;
  if (tree.rules.length > 0) checkPlace(tree, place, run);
  if (isArray(value)) {
    if (tree.items === undefined) return;
    for (const item of itemPlaces(place, tree.node)) visit(tree.items, item, run);
  } else if (isObject(value)) visitMembers(tree, place, run);
}

function visitMembers(tree: RuleNode, place: RulePlace, run: Run): void {
  if (!isObject(place.value)) return;
  const { additional, properties } = tree;
  if (additional !== undefined)
    for (const key of Object.keys(place.value)) visit(additional, memberPlace(place, key, false), run);
  for (const [name, child] of properties)
    if (Object.hasOwn(place.value, name)) visit(child, memberPlace(place, name, true), run);
}

function checkPlace({ rules, decl, node }: RuleNode, place: RulePlace, run: Run): void {
  if (decl === undefined) return;
  const self = decl.adapt(place.value, run.meter);
  const hasOld = place.old !== undefined && place.old !== null;
  const oldSelf = hasOld ? decl.adapt(place.old, run.meter) : undefined;
  for (const rule of rules) {
    if (run.stopped) return;
    checkRule(rule, { type: node.type, place, self, oldSelf }, run);
  }
}

type Site = {
  readonly type: string;
  readonly place: RulePlace;
  readonly self: CelValue;
  readonly oldSelf: CelValue | undefined;
};

function checkRule(rule: ValidationRule, site: Site, run: Run): void {
  const { place, type } = site;
  const add = (found: Found): void => {
    run.errors.push(ruleError(rule, { path: place.path, type }, found));
  };
  const { program } = rule;
  if (program.type === 'bad') {
    add({ type: 'fault', detail: `rule compile error: ${program.detail}` });
    return;
  }
  if (program.usesOldSelf && site.oldSelf === undefined && !rule.optionalOldSelf) return;
  const result = evaluate(program, valuesOf(rule, site), run);
  if (result.type !== 'value') {
    add(result);
    run.stopped = true;
  } else if (isError(result.value)) add({ type: 'error', message: result.value.message });
  else if (result.value !== true && (program.usesOldSelf || !isUnchanged(place)))
    add(refusalOf(rule, site, run));
}

const valuesOf = (
  { optionalOldSelf }: ValidationRule,
  { self, oldSelf }: Site,
): readonly (CelValue | undefined)[] => {
  if (!optionalOldSelf) return [self, oldSelf];
  return [self, oldSelf === undefined ? none : some(oldSelf)];
};

type Outcome =
  | { readonly type: 'value'; readonly value: CelValue }
  | { readonly type: 'exhausted' }
  | { readonly type: 'over budget' };

const exhausted: Outcome = { type: 'exhausted' };
const overBudget: Outcome = { type: 'over budget' };

function evaluate(
  { program }: Extract<CompiledExpression, { type: 'good' }>,
  values: readonly (CelValue | undefined)[],
  run: Run,
): Outcome {
  const { meter } = run;
  meter.cost = 0;
  try {
    const value = program(meter, values);
    if (meter.cost > run.budget) return overBudget;
    run.budget -= meter.cost;
    return { type: 'value', value };
  } catch (error) {
    // A RangeError is a text or a depth that this machine cannot hold.
    if (error instanceof Exhausted || error instanceof RangeError) return exhausted;
    throw error;
  }
}

/** The message of a rule: the result of its `messageExpression`, if it has one. */
function refusalOf(rule: ValidationRule, site: Site, run: Run): Found {
  if (rule.wording?.type !== 'good') return { type: 'refused', detail: undefined };
  const result = evaluate(rule.wording, valuesOf(rule, site), run);
  if (result.type === 'value') return { type: 'refused', detail: wordingOf(result.value) };
  run.stopped = true;
  return { type: 'fault', detail: wordingFault(rule, result.type) };
}
