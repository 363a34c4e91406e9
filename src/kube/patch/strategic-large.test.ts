import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { configMapShape, deploymentShape } from '#schema/testing/shapes.ts';
import type { Shape } from '#kube/shape.ts';
import { applyStrategicPatch } from './strategic.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `n${i}`);
const finalizers = names(40_000);
const reversed = finalizers.toReversed();
const owners = names(15_000).map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid }));
const variables = names(20_000);

const inMetadata = (metadata: JsonObject): JsonObject => ({ metadata });
const withEnv = (env: readonly Json[]): JsonObject => ({
  spec: { template: { spec: { containers: [{ name: 'a', env }] } } },
});

test.for<{ name: string; shape: Shape; document: Json; patch: Json; result: Json }>([
  {
    name: 'the order of many finalizers',
    shape: configMapShape,
    document: inMetadata({ finalizers }),
    patch: inMetadata({ '$setElementOrder/finalizers': reversed, finalizers: reversed }),
    result: inMetadata({ finalizers: reversed }),
  },
  {
    name: 'many owners, reversed',
    shape: configMapShape,
    document: inMetadata({ ownerReferences: owners }),
    patch: inMetadata({ ownerReferences: owners.toReversed() }),
    result: inMetadata({ ownerReferences: owners.toReversed() }),
  },
  {
    name: 'many new owners',
    shape: configMapShape,
    document: inMetadata({ ownerReferences: owners.slice(0, 1) }),
    patch: inMetadata({ ownerReferences: owners.slice(1) }),
    result: inMetadata({ ownerReferences: [...owners.slice(1), ...owners.slice(0, 1)] }),
  },
  {
    name: 'many deleted finalizers',
    shape: configMapShape,
    document: inMetadata({ finalizers: ['kept', ...finalizers] }),
    patch: inMetadata({ '$deleteFromPrimitiveList/finalizers': reversed }),
    result: inMetadata({ finalizers: ['kept'] }),
  },
  {
    name: 'many deleted variables',
    shape: deploymentShape,
    document: withEnv([...variables.map((name) => ({ name, value: '1' })), { name: 'kept' }]),
    patch: withEnv(variables.map((name) => ({ name, $patch: 'delete' }))),
    result: withEnv([{ name: 'kept' }]),
  },
  {
    name: 'many items whose key is null',
    shape: deploymentShape,
    document: withEnv(variables.map(() => ({ name: null, value: '1' }))),
    patch: withEnv(variables.map((_, i) => ({ name: null, value: `${i}` }))),
    result: withEnv(variables.map((_, i) => ({ value: `${i}` }))),
  },
])('$name: no time that grows with the square', ({ shape, document, patch, result }) => {
  const start = performance.now();
  const outcome = applyStrategicPatch(shape, document, patch);
  const took = performance.now() - start;
  expect(outcome).toEqual(result);
  expect(took).toBeLessThan(3000);
});
