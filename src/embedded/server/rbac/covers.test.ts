import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { uncovered } from './covers.ts';
import { allows, fullAuthority, noRule, type PolicyRule } from './policy-rule.ts';
import { ruleText } from './rule-text.ts';

const rule = (verbs: string, resources: string, names = ''): PolicyRule => ({
  ...noRule,
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  resourceNames: names === '' ? [] : names.split(' '),
});

const path = (verbs: string, urls: string): PolicyRule => ({
  ...noRule,
  verbs: verbs.split(' '),
  nonResourceURLs: urls.split(' '),
});

test.for<readonly [string, readonly PolicyRule[], PolicyRule, readonly string[]]>([
  ['the same', [rule('get', 'pods')], rule('get', 'pods'), []],
  ['together', [rule('get', 'pods'), rule('list', 'pods')], rule('get list', 'pods'), []],
  [
    'not together',
    [rule('get', 'pods'), rule('list', 'nodes')],
    rule('get list', 'pods'),
    ['{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'],
  ],
  [
    'all verbs by a star alone',
    [rule('get', 'pods')],
    rule('*', 'pods'),
    ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  ],
  ['a name by all names', [rule('get', 'pods')], rule('get', 'pods', 'p'), []],
  [
    'all names by no name',
    [rule('get', 'pods', 'p')],
    rule('get', 'pods'),
    ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
  ],
  ['names one by one', [rule('get', 'pods', 'p'), rule('get', 'pods', 'q')], rule('get', 'pods', 'p q'), []],
  ['a subresource by that of everything', [rule('get', '*/scale')], rule('get', 'deployments/scale'), []],
  ['a path by a prefix', [path('get', '/api/*')], path('get', '/api/v1'), []],
  ['a pattern by a wider one', [path('get', '/api/*')], path('get', '/api/v1/*'), []],
  [
    'a path by another',
    [path('get', '/api')],
    path('get', '/api /apis'),
    ['{NonResourceURLs:["/apis"], Verbs:["get"]}'],
  ],
])('rights cover others: %s', ([, held, wanted, missing]) => {
  expect(uncovered(held, [wanted]).map(ruleText)).toEqual(missing);
});

const words = (...some: readonly string[]): fc.Arbitrary<string[]> =>
  fc.subarray([...some], { minLength: 1 });
const anyRule = fc.record({
  verbs: words('get', 'list', '*'),
  apiGroups: words('', 'apps', '*'),
  resources: words('pods', 'pods/log', '*/log', '*'),
  resourceNames: fc.subarray(['p', 'q']),
  nonResourceURLs: fc.constant<string[]>([]),
});

test('a user with all rules, or the same, lacks nothing', () => {
  fc.assert(
    fc.property(fc.array(anyRule), (rules) => {
      expect(uncovered(rules, rules)).toEqual([]);
      expect(uncovered(fullAuthority, rules)).toEqual([]);
    }),
  );
});

test('what a covered rule allows, the rights that cover it allow too', () => {
  fc.assert(
    fc.property(fc.array(anyRule), anyRule, (held, wanted) => {
      fc.pre(uncovered(held, [wanted]).length === 0);
      for (const verb of ['get', 'list', 'delete']) {
        for (const [resource, subresource] of [
          ['pods', ''],
          ['pods', 'log'],
          ['nodes', 'log'],
        ] as const) {
          for (const name of ['', 'p', 'q', 'r']) {
            const asked = {
              type: 'resource',
              verb,
              group: 'apps',
              resource,
              subresource,
              name,
              namespace: '',
            } as const;
            if (allows(wanted, asked)) expect(held.some((each) => allows(each, asked))).toBe(true);
          }
        }
      }
    }),
  );
});
