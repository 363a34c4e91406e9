import { expect, test } from 'vitest';
import { noRule, type PolicyRule } from './policy-rule.ts';
import { compact, escalationText, ruleText } from './rule-text.ts';

const rule = (verb: string, resource: string, ...resourceNames: readonly string[]): PolicyRule => ({
  ...noRule,
  verbs: [verb],
  apiGroups: [''],
  resources: [resource],
  resourceNames,
});

test('verbs on the same resource are printed together', () => {
  const rules = [rule('get', 'pods'), rule('get', 'nodes'), rule('list', 'pods'), rule('get', 'pods', 'p')];
  expect(compact(rules).map(ruleText)).toEqual([
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    '{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}',
    '{APIGroups:[""], Resources:["pods"], ResourceNames:["p"], Verbs:["get"]}',
  ]);
});

test('rules on several resources stay as they are', () => {
  const wide = { ...rule('get', 'pods'), resources: ['pods', 'nodes'] };
  expect(compact([wide, wide])).toEqual([wide, wide]);
});

test('the refusal names the user, its groups and each right once, in order', () => {
  const user = { name: 'bob', uid: '', groups: ['a', 'system:authenticated'], extra: {} };
  const missing = [rule('get', 'secrets'), rule('get', 'nodes'), rule('list', 'secrets')];
  expect(escalationText(user, missing, [])).toBe(
    'user "bob" (groups=["a" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}\n' +
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
  );
  expect(escalationText(user, missing, ['role.x "r" not found'])).toMatch(
    /; resolution errors: \[role\.x "r" not found\]$/,
  );
});
