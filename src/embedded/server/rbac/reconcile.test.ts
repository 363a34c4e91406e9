import { expect, test } from 'vitest';
import { listAt } from '#base/json.ts';
import { nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { autoUpdate, bootstrapBindings, bootstrapRoles } from './bootstrap-roles.ts';
import { reconciledBinding, reconciledRole } from './reconcile.ts';

const named = (objects: readonly KubeObject[], name: string): KubeObject =>
  objects.find((each) => nameOf(each) === name) ?? {};
const basic = named(bootstrapRoles, 'system:basic-user');
const discovery = named(bootstrapBindings, 'system:discovery');

test('what is complete stays as it is', () => {
  for (const role of bootstrapRoles) expect(reconciledRole(role, role)).toBe(role);
  for (const binding of bootstrapBindings) expect(reconciledBinding(binding, binding)).toBe(binding);
});

test('missing rights come back, further ones stay', () => {
  const own = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const [first = {}, second = {}] = listAt(basic, 'rules');
  const { rules } = reconciledRole({ ...basic, rules: [own, first] }, basic);
  expect(rules).toEqual([own, first, second]);
});

test('missing labels come back, changed ones stay', () => {
  const stored = withMeta(basic, { labels: { 'kubernetes.io/bootstrapping': 'mine' }, annotations: {} });
  expect(reconciledRole(stored, basic)['metadata']).toMatchObject({
    labels: { 'kubernetes.io/bootstrapping': 'mine' },
    annotations: { [autoUpdate]: 'true' },
  });
});

test('rules of a gathering role are not touched, its selectors are', () => {
  const view = named(bootstrapRoles, 'view');
  const stored = { ...view, rules: [{ verbs: ['get'] }], aggregationRule: { clusterRoleSelectors: [] } };
  expect(reconciledRole(stored, view)).toMatchObject({
    rules: stored.rules,
    aggregationRule: view['aggregationRule'],
  });
});

test('missing subjects come back; a binding to another role is left alone', () => {
  const stored = { ...discovery, subjects: [{ kind: 'User', name: 'x' }] };
  expect(listAt(reconciledBinding(stored, discovery), 'subjects')).toHaveLength(2);
  const other = { ...stored, roleRef: { kind: 'ClusterRole', name: 'other' } };
  expect(reconciledBinding(other, discovery)).toBe(other);
});

test('objects with autoupdate false are not updated', () => {
  const annotations = { [autoUpdate]: 'false' };
  const role = withMeta({ ...basic, rules: [] }, { annotations });
  expect(reconciledRole(role, basic)).toBe(role);
  const binding = withMeta({ ...discovery, subjects: [] }, { annotations });
  expect(reconciledBinding(binding, discovery)).toBe(binding);
});
