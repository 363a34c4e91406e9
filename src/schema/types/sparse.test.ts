import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { sparseObject } from './sparse.ts';

const template = (container: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: 'shop' } },
  spec: { containers: [{ name: 'server', image: 'shop:1.0', ...container }], ...more },
});
const sparse = (object: JsonObject): JsonObject => sparseObject('io.k8s.api.core.v1.PodTemplateSpec', object);

test.for<readonly [string, JsonObject, JsonObject]>([
  ['an empty struct that Go writes', template({ resources: {} }), template({})],
  [
    'a time that was never set',
    { ...template({}), metadata: { creationTimestamp: null, labels: { app: 'shop' } } },
    template({}),
  ],
  [
    'empty lists, maps and zeros',
    template({ env: [], stdin: false, workingDir: '' }, { hostNetwork: false, nodeSelector: {} }),
    template({}),
  ],
  [
    'a value of a variable',
    template({ env: [{ name: 'A', value: '' }] }),
    template({ env: [{ name: 'A' }] }),
  ],
  [
    'quantities',
    template({ resources: { limits: { cpu: '1000m', memory: 1024 } } }),
    template({ resources: { limits: { cpu: 1, memory: '1024' } } }),
  ],
  [
    'a divisor',
    template({
      env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } }],
    }),
    template({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] }),
  ],
])('%s makes no difference', ([, left, right]) => {
  expect(sparse(left)).toEqual(sparse(right));
});

test.for<readonly [string, JsonObject, JsonObject]>([
  ['an image', template({ image: 'shop:1.1' }), template({})],
  [
    'a pointer to false',
    template({ securityContext: { privileged: false } }),
    template({ securityContext: {} }),
  ],
  [
    'an empty volume',
    template({}, { volumes: [{ name: 'a', emptyDir: {} }] }),
    template({}, { volumes: [{ name: 'a' }] }),
  ],
  ['a field that the type does not have', template({ future: false }), template({})],
  ['the order of a list', template({ args: ['a', 'b'] }), template({ args: ['b', 'a'] })],
])('%s makes a difference', ([, left, right]) => {
  expect(sparse(left)).not.toEqual(sparse(right));
});
