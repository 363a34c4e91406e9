import { expect, test } from 'vitest';
import { fieldPath, patchOf, typedValue } from './kubernetes-fields.ts';

test.for([
  [
    'metadata.annotations.io.tencent.bcs.dev/deleting',
    ['metadata', 'annotations', 'io.tencent.bcs.dev/deleting'],
  ],
  ['{.spec.replicas}', ['spec', 'replicas']],
  ["{.metadata.labels['a.b/c']}", ['metadata', 'labels', 'a.b/c']],
  ['{.spec.containers[0].image}', ['spec', 'containers', 0, 'image']],
] as const)('%s leads to one field', ([path, steps]) => {
  expect(fieldPath(path)).toEqual({ type: 'path', steps });
});

test.for(['{.spec.containers[*].image}', '{..image}', '{.a[-1]}', '{.a[', '{}'])(
  '%s cannot be written to',
  (path) => {
    expect(fieldPath(path).type).toBe('problem');
  },
);

test('a patch makes what is missing on the way, and replaces inside lists', () => {
  expect(patchOf(['metadata', 'annotations', 'a/b'], 'x')).toEqual({
    type: 'merge',
    body: { metadata: { annotations: { 'a/b': 'x' } } },
  });
  expect(patchOf(['spec', 'containers', 0, 'a/b~c'], 'x')).toEqual({
    type: 'json',
    body: [{ op: 'replace', path: '/spec/containers/0/a~1b~0c', value: 'x' }],
  });
});

test.for([
  [{ spec: { replicas: 1 } }, ['spec', 'replicas'], '3', 3],
  [{ spec: {} }, ['spec', 'replicas'], '3', 3],
  [{ spec: {} }, ['spec', 'paused'], 'true', true],
  [{ spec: { image: 'x' } }, ['spec', 'image'], '3', '3'],
  [{ metadata: {} }, ['metadata', 'annotations', 'a'], 'false', 'false'],
  [{ spec: { list: [1, 2] } }, ['spec', 'list', 1], '7', 7],
  [{ spec: { replicas: 1 } }, ['spec', 'replicas'], 'many', 'many'],
] as const)('a value takes the type of its field: %j %j', ([object, steps, text, value]) => {
  expect(typedValue(object, steps, text)).toBe(value);
});
