import { expect, test } from 'vitest';
import { listAt, type Json } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { aggregatedRules, staleAggregates } from './aggregate.ts';

const rule = (resource: string): Json => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, labels: Record<string, string>, ...resources: readonly string[]): KubeObject => ({
  metadata: { name, labels },
  rules: resources.map(rule),
});
const gatherer = (name: string, label: string, labels: Record<string, string> = {}): KubeObject => ({
  ...role(name, labels),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
});
const toView = { view: 'true' };

test('rules are gathered by label, in the order of names, each once', () => {
  const others = [role('b', toView, 'pods', 'nodes'), role('a', toView, 'pods'), role('c', {}, 'secrets')];
  expect(aggregatedRules(gatherer('all', 'view'), others)).toEqual([rule('pods'), rule('nodes')]);
});

test('a role does not gather from itself', () => {
  const self = { ...gatherer('all', 'view', toView), rules: [rule('secrets')] };
  expect(aggregatedRules(self, [self])).toEqual([]);
});

test('several selectors add up; an invalid one selects nothing', () => {
  const self = {
    ...gatherer('all', 'view'),
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { view: 'true' } },
        { matchExpressions: [{ key: 'edit', operator: 'Exists' }] },
        { matchExpressions: [{ key: 'edit', operator: 'Nonsense' }] },
      ],
    },
  };
  const others = [role('v', toView, 'pods'), role('e', { edit: '' }, 'secrets')];
  expect(aggregatedRules(self, others)).toEqual([rule('pods'), rule('secrets')]);
});

test('what is gathered by a gatherer arrives at the top at once', () => {
  const roles = [
    gatherer('admin', 'admin'),
    gatherer('edit', 'edit', { admin: 'true' }),
    gatherer('view', 'view', { edit: 'true' }),
    role('leaf', toView, 'pods'),
  ];
  const stale = staleAggregates(roles);
  expect(stale.map(nameOf)).toEqual(['admin', 'edit', 'view']);
  for (const each of stale) expect(listAt(each, 'rules')).toEqual([rule('pods')]);
  const settled = roles.map((each) => stale.find((changed) => nameOf(changed) === nameOf(each)) ?? each);
  expect(staleAggregates(settled)).toEqual([]);
});

test('rules without a source are removed, null and none are the same', () => {
  const before = { ...gatherer('all', 'view'), rules: [rule('pods')] };
  expect(staleAggregates([before]).map((each) => each['rules'])).toEqual([[]]);
  expect(staleAggregates([{ ...before, rules: null }])).toEqual([]);
});

test('roles that gather each other come to an end', () => {
  const one = { ...gatherer('one', 'b', { a: 'true' }), rules: [rule('pods')] };
  const two = { ...gatherer('two', 'a', { b: 'true' }), rules: [rule('nodes')] };
  expect(staleAggregates([one, two]).length).toBeLessThanOrEqual(2);
});
