import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { packedInstance, unpackedInstance } from './packed-instance.ts';

const metadata = { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '7', labels: { x: 'y' } };

test.for([
  ['a usual one', { spec: { a: [1, null, 'x'] }, status: { conditions: [] } }],
  ['one of metadata alone', {}],
  ['one with fields of its own', { packed: 'text', data: { rest: 1 } }],
] as const)('%s comes back as it was, without what others own', ([, more]) => {
  const instance = { apiVersion: 'g/v1', kind: 'K', metadata, ...more };
  const managedFields = [{ manager: 'somebody' }];
  const packed = packedInstance.of({ ...instance, metadata: { ...metadata, managedFields } });
  expect(packed).toMatchObject({ metadata });
  expect(Object.keys(packed)).toHaveLength(4);
  expect(packedInstance.of(packed as JsonObject)).toBe(packed);
  expect(unpackedInstance(packed)).toEqual(instance);
  expect(unpackedInstance(instance)).toBe(instance);
});
