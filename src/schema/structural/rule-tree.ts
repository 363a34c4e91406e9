import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { compileMessage, compileRule, type CompiledExpression } from '#schema/cel/compile-rule.ts';
import { declOf, type Decl } from '#schema/cel/decl.ts';
import { fieldPathOf } from './rule-field-path.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';

/** One entry of `x-kubernetes-validations`. */
export type ValidationRule = {
  readonly text: string;
  /** Empty when there is none. */
  readonly message: string;
  readonly reason: string;
  /** The place below the rule's own that errors name; empty for its own. */
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
  readonly program: CompiledExpression;
  /** The `messageExpression`. */
  readonly wording: CompiledExpression | undefined;
  readonly wordingText: string;
};

/** The part of a schema that has rules, here or below. */
export type RuleNode = {
  readonly node: SchemaNode;
  readonly decl: Decl | undefined;
  readonly rules: readonly ValidationRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
};

const trees = new WeakMap<JsonObject, RuleNode | 'none'>();

/** The rules of a whole schema, compiled when first needed; undefined when it has none. */
export function ruleTreeOf(node: SchemaNode): RuleNode | undefined {
  const known = trees.get(node.schema);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const made = treeOf(node.schema, true);
  trees.set(node.schema, made ?? 'none');
  return made;
}

function treeOf(schema: JsonObject, root: boolean): RuleNode | undefined {
  const rules = listAt(schema, 'x-kubernetes-validations').filter(isObject);
  const properties = propertyTrees(schema['properties']);
  const items = ruleTreeBelow(schema['items']);
  const additional = ruleTreeBelow(schema['additionalProperties']);
  if (rules.length === 0 && properties.size === 0 && items === undefined && additional === undefined)
    return undefined;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const decl = rules.length === 0 ? undefined : declOf(schema, root || embedded);
  return {
    node: nodeOf(schema),
    decl,
    rules: decl === undefined ? [] : rules.map((each) => ruleOf(each, schema, decl)),
    properties,
    additional,
    items,
  };
}

/** The rules of a part of a schema; undefined when it has none. */
export const ruleTreeBelow = (schema: Json | undefined): RuleNode | undefined =>
  isObject(schema) ? treeOf(schema, false) : undefined;

function propertyTrees(properties: Json | undefined): ReadonlyMap<string, RuleNode> {
  const trees = new Map<string, RuleNode>();
  for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
    const tree = ruleTreeBelow(child);
    if (tree !== undefined) trees.set(name, tree);
  }
  return trees;
}

function ruleOf(entry: JsonObject, schema: JsonObject, decl: Decl): ValidationRule {
  const text = textAt(entry, 'rule') ?? '';
  const wordingText = textAt(entry, 'messageExpression') ?? '';
  const path = textAt(entry, 'fieldPath') ?? '';
  const optionalOldSelf = entry['optionalOldSelf'] === true;
  return {
    text: text.trim(),
    message: (textAt(entry, 'message') ?? '').trim(),
    reason: textAt(entry, 'reason') ?? '',
    fieldPath: path === '' ? '' : (fieldPathOf(schema, path) ?? ''),
    optionalOldSelf,
    program: compileRule(text, decl, optionalOldSelf),
    wording: wordingText === '' ? undefined : compileMessage(wordingText, decl, optionalOldSelf),
    wordingText,
  };
}
