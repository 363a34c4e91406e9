import { textAt, type JsonObject } from '#base/json.ts';
import { compileMessage, compileRule } from '#schema/cel/compile-rule.ts';
import { maxCardinality, type Decl } from '#schema/cel/decl.ts';
import type { FieldError } from '#kube/field-error.ts';
import { countCost, type CelCosts } from './check-cel-cost.ts';
import { invalidAt, invalidDump } from './crd-error.ts';

/** The position of a rule in the schema. */
export type RuleSite = {
  readonly path: string;
  readonly decl: Decl;
  /** How many values of this schema an object can have; undefined when nothing limits them. */
  readonly cardinality: number | undefined;
  /** The list above whose items cannot be matched between two versions of an object, if there is one. */
  readonly uncorrelatable: string | undefined;
  readonly costs: CelCosts;
};

/** Whether a rule's expressions mean something, and what they would cost. */
export function checkRuleExpressions(rule: JsonObject, site: RuleSite): readonly FieldError[] {
  const { path, decl, costs } = site;
  const optionalOldSelf = rule['optionalOldSelf'] === true;
  const compiled = compileRule(textAt(rule, 'rule') ?? '', decl, optionalOldSelf);
  if (compiled.type === 'bad') return [invalidDump(`${path}.rule`, dumpRule(rule), compiled.detail)];
  const count = site.cardinality ?? maxCardinality(decl.minSize);
  const cost = compiled.maxCost * count;
  return [
    ...countCost(costs, { path: `${path}.rule`, cost, what: 'estimated rule cost' }),
    ...checkMessage(rule, site),
    ...checkOldSelf(rule, compiled.usesOldSelf, site),
  ];
}

function checkMessage(rule: JsonObject, { path: base, decl, costs }: RuleSite): readonly FieldError[] {
  const wording = textAt(rule, 'messageExpression') ?? '';
  if (wording === '') return [];
  const path = `${base}.messageExpression`;
  const compiled = compileMessage(wording, decl, rule['optionalOldSelf'] === true);
  if (compiled.type === 'bad') return [invalidDump(path, dumpRule(rule), compiled.detail)];
  return countCost(costs, { path, cost: compiled.maxCost, what: 'estimated messageExpression cost' });
}

function checkOldSelf(
  rule: JsonObject,
  used: boolean,
  { path, uncorrelatable }: RuleSite,
): readonly FieldError[] {
  if (used && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return [invalidAt(`${path}.rule`, rule['rule'], why)];
  }
  const optional = rule['optionalOldSelf'];
  if (used || typeof optional !== 'boolean') return [];
  return [invalidAt(`${path}.optionalOldSelf`, optional, 'may not be set if oldSelf is not used in rule')];
}

/** A rule in Go's notation, as the server quotes it. */
function dumpRule(rule: JsonObject): string {
  const quoted = (key: string): string => JSON.stringify(textAt(rule, key) ?? '');
  const pointer = (key: string, type: string): string =>
    (rule[key] ?? null) === null ? `(*${type})(nil)` : `(*${type})(0x0)`;
  const parts = [
    `Rule:${quoted('rule')}`,
    `Message:${quoted('message')}`,
    `MessageExpression:${quoted('messageExpression')}`,
    `Reason:${pointer('reason', 'apiextensions.FieldValueErrorReason')}`,
    `FieldPath:${quoted('fieldPath')}`,
    `OptionalOldSelf:${pointer('optionalOldSelf', 'bool')}`,
  ];
  return `apiextensions.ValidationRule{${parts.join(', ')}}`;
}
