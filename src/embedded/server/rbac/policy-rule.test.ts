import { expect, test } from 'vitest';
import type { Attributes } from './attributes.ts';
import { allows, matchesUrl, noRule, ruleJson, rulesOf, type PolicyRule } from './policy-rule.ts';

const rule = (parts: Partial<PolicyRule>): PolicyRule => ({
  ...noRule,
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...parts,
});

const getPod: Attributes = {
  type: 'resource',
  verb: 'get',
  group: '',
  resource: 'pods',
  subresource: '',
  name: 'p',
  namespace: 'n',
};

const asked = (parts: Partial<Extract<Attributes, { type: 'resource' }>>): Attributes => ({
  ...getPod,
  ...parts,
});

test.for<readonly [string, Partial<PolicyRule>, Attributes, boolean]>([
  ['the same words', {}, getPod, true],
  ['another verb', {}, asked({ verb: 'list' }), false],
  ['every verb', { verbs: ['*'] }, asked({ verb: 'anything' }), true],
  ['another group', {}, asked({ group: 'apps' }), false],
  ['every group', { apiGroups: ['*'] }, asked({ group: 'apps' }), true],
  ['another resource', {}, asked({ resource: 'secrets' }), false],
  ['every resource', { resources: ['*'] }, asked({ resource: 'secrets' }), true],
  ['a subresource is not its resource', {}, asked({ subresource: 'log' }), false],
  ['a resource is not its subresource', { resources: ['pods/log'] }, getPod, false],
  ['a named subresource', { resources: ['pods/log'] }, asked({ subresource: 'log' }), true],
  ['every resource and subresource', { resources: ['*'] }, asked({ subresource: 'log' }), true],
  ['a subresource of everything', { resources: ['*/scale'] }, asked({ subresource: 'scale' }), true],
  ['another subresource of everything', { resources: ['*/scale'] }, asked({ subresource: 'status' }), false],
  ['no star behind the slash', { resources: ['pods/*'] }, asked({ subresource: 'log' }), false],
  ['a listed name', { resourceNames: ['o', 'p'] }, getPod, true],
  ['a name that is not listed', { resourceNames: ['o'] }, getPod, false],
  ['names and no name', { resourceNames: ['p'] }, asked({ verb: 'get', name: '' }), false],
  ['names know no star', { resourceNames: ['*'] }, getPod, false],
  [
    'a path is no resource',
    { resources: ['*'], verbs: ['*'] },
    { type: 'path', verb: 'get', path: '/x' },
    false,
  ],
  ['a resource is no path', { nonResourceURLs: ['*'], resources: [] }, getPod, false],
  ['a path', { nonResourceURLs: ['/x'] }, { type: 'path', verb: 'get', path: '/x' }, true],
  [
    'a path with another verb',
    { nonResourceURLs: ['/x'] },
    { type: 'path', verb: 'post', path: '/x' },
    false,
  ],
])('a rule allows: %s', ([, parts, attributes, verdict]) => {
  expect(allows(rule(parts), attributes)).toBe(verdict);
});

test.for<readonly [string, string, boolean]>([
  ['*', '/anything', true],
  ['/healthz', '/healthz', true],
  ['/healthz', '/healthz/etcd', false],
  ['/healthz/*', '/healthz/etcd', true],
  ['/healthz/*', '/healthz', false],
  ['/api*', '/apis/apps', true],
  ['/api/**', '/api/v1', true],
  ['/a*b', '/axb', false],
])('the URL pattern %s and %s', ([pattern, path, verdict]) => {
  expect(matchesUrl(pattern, path)).toBe(verdict);
});

test('rules are read from a role and written back', () => {
  const json = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] };
  const [read = noRule] = rulesOf({ rules: [json] });
  expect(read.nonResourceURLs).toEqual([]);
  expect(ruleJson(read)).toEqual(json);
  expect(rulesOf({ rules: null })).toEqual([]);
});
