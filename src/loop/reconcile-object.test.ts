import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import type { Informer } from './informer.ts';
import { reconcileObject } from './reconcile-object.ts';
import { millis } from '#base/time.ts';
import { settled, wake } from './work-queue.ts';

const ship: KubeObject = { metadata: { namespace: 'a', name: 'ship' } };
const objects: Pick<Informer, 'get'> = {
  get: (namespace, name) => (namespace === 'a' && name === 'ship' ? ship : undefined),
};
const quiet = new AbortController().signal;

test('an object is reconciled, a missing one is forgotten', async () => {
  const seen: unknown[] = [];
  const reconcile = reconcileObject(objects, {
    reconcile: (object) => {
      seen.push(object);
      return Promise.resolve(wake(millis(5)));
    },
    forget: (key) => seen.push(key),
  });
  expect(await reconcile('a/ship', quiet)).toEqual(wake(millis(5)));
  expect(await reconcile('a/boat', quiet)).toEqual(settled);
  expect(seen).toEqual([ship, 'a/boat']);
});
