import { expect, test } from 'vitest';
import { namespaceFinalizeRules, namespaceRules } from './namespace.ts';
import { created, meta, refusals } from './testing/check.ts';

const namespace = created(namespaceRules, {
  metadata: { labels: { a: 'b' } },
  status: { phase: 'Terminating' },
});

test('a namespace carries its name and its finalizer', () => {
  expect(namespace).toEqual({
    metadata: { ...meta, labels: { a: 'b', 'kubernetes.io/metadata.name': 'x' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
});

test('the label cannot be taken away', () => {
  expect(namespaceRules.defaults?.({ metadata: { name: 'x', labels: {} } })).toEqual({
    metadata: { name: 'x', labels: { 'kubernetes.io/metadata.name': 'x' } },
  });
});

test('each endpoint changes its own part', () => {
  const given = { metadata: meta, spec: { finalizers: [] }, status: { phase: 'Terminating' } };
  expect(namespaceRules.prepareUpdate?.(given, namespace)).toEqual({ ...namespace, metadata: meta });
  expect(namespaceRules.prepareStatusUpdate?.(given, namespace)).toEqual({
    ...given,
    spec: namespace['spec'],
  });
  expect(namespaceFinalizeRules.prepareUpdate?.(given, namespace)).toEqual({
    ...given,
    status: namespace['status'],
  });
});

test('finalizers of the spec have names like others', () => {
  expect(refusals(namespaceRules, { spec: { finalizers: ['nodomain'] } })).toEqual([
    'spec.finalizers: Invalid value: "nodomain": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

test('namespaces are selected by phase', () => {
  expect(namespaceRules.selectableFields['status.phase']?.(namespace)).toBe('Active');
});
