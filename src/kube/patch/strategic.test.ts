import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { configMapShape, deploymentShape, serviceShape } from '#schema/testing/shapes.ts';
import type { Shape } from '#kube/shape.ts';
import { ApiError } from '#kube/status.ts';
import { applyStrategicPatch } from './strategic.ts';

const inPod = (podSpec: JsonObject): JsonObject => ({ spec: { template: { spec: podSpec } } });
const containers = (...list: readonly JsonObject[]): JsonObject => inPod({ containers: list });
const ports = (...list: readonly JsonObject[]): JsonObject => ({ spec: { ports: list } });

type Case = { name: string; shape: Shape; document: Json; patch: Json; result: Json };

describe('a strategic patch', () => {
  test.for<Case>([
    {
      name: 'merges items by key, nested ones too, and puts new ones first',
      shape: deploymentShape,
      document: containers(
        { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: 'b:1' },
      ),
      patch: containers({ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }] }),
      result: containers(
        {
          name: 'a',
          image: 'a:2',
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '1' },
          ],
        },
        { name: 'b', image: 'b:1' },
      ),
    },
    {
      name: 'puts a new item before the live ones',
      shape: deploymentShape,
      document: containers({ name: 'a' }, { name: 'b' }),
      patch: containers({ name: 'c', image: 'c:1' }),
      result: containers({ name: 'c', image: 'c:1' }, { name: 'a' }, { name: 'b' }),
    },
    {
      name: 'keeps live items before the patched one they stood before',
      shape: deploymentShape,
      document: containers({ name: 'a' }, { name: 'b' }, { name: 'c' }),
      patch: containers({ name: 'c', image: 'x' }),
      result: containers({ name: 'a' }, { name: 'b' }, { name: 'c', image: 'x' }),
    },
    {
      name: 'deletes an item',
      shape: deploymentShape,
      document: containers({ name: 'a' }, { name: 'b' }),
      patch: containers({ name: 'b', $patch: 'delete' }),
      result: containers({ name: 'a' }),
    },
    {
      name: 'replaces a list',
      shape: deploymentShape,
      document: containers({ name: 'a' }, { name: 'b' }),
      patch: containers({ $patch: 'replace' }, { name: 'only', image: 'only:1' }),
      result: containers({ name: 'only', image: 'only:1' }),
    },
    {
      name: 'sets the order of items and merges them at once',
      shape: deploymentShape,
      document: containers(
        { name: 'a', env: [{ name: 'X' }, { name: 'Y' }] },
        { name: 'c' },
        { name: 'live' },
      ),
      patch: inPod({
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
        containers: [{ name: 'a', env: [{ name: 'X', $patch: 'delete' }] }],
      }),
      result: containers({ name: 'c' }, { name: 'a', env: [{ name: 'Y' }] }, { name: 'live' }),
    },
    {
      name: 'orders without changing anything else',
      shape: serviceShape,
      document: ports({ port: 80 }, { port: 81 }, { port: 82 }),
      patch: {
        spec: {
          '$setElementOrder/ports': [{ port: 82 }, { port: 80 }],
          ports: [{ port: 81, $patch: 'delete' }],
        },
      },
      result: ports({ port: 82 }, { port: 80 }),
    },
    {
      name: 'finds ports by number alone',
      shape: serviceShape,
      document: ports({ port: 82 }, { name: 'a', port: 80, protocol: 'TCP', targetPort: 8080 }),
      patch: ports({ name: 'dup', port: 80, protocol: 'UDP' }),
      result: ports({ port: 82 }, { name: 'dup', port: 80, protocol: 'UDP', targetPort: 8080 }),
    },
    {
      name: 'deletes with null and takes over new members without nulls',
      shape: deploymentShape,
      document: inPod({ volumes: [{ name: 'v', emptyDir: {} }] }),
      patch: inPod({ volumes: [{ name: 'v', emptyDir: null, configMap: { name: 'cm', items: null } }] }),
      result: inPod({ volumes: [{ name: 'v', configMap: { name: 'cm' } }] }),
    },
    {
      name: 'retains only the named keys',
      shape: deploymentShape,
      document: inPod({ volumes: [{ name: 'v', configMap: { name: 'cm' } }] }),
      patch: inPod({
        volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }],
      }),
      result: inPod({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
    },
    {
      name: 'retains keys of a struct',
      shape: deploymentShape,
      document: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
      patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      result: { spec: { strategy: { type: 'Recreate' } } },
    },
    {
      name: 'merges lists of texts, new ones first',
      shape: configMapShape,
      document: { metadata: { finalizers: ['a', 'b'] } },
      patch: { metadata: { finalizers: ['c'] } },
      result: { metadata: { finalizers: ['c', 'a', 'b'] } },
    },
    {
      name: 'deletes from a list of texts',
      shape: configMapShape,
      document: { metadata: { finalizers: ['c', 'a', 'b'] } },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      result: { metadata: { finalizers: ['c', 'b'] } },
    },
    {
      name: 'orders a list of texts',
      shape: configMapShape,
      document: { metadata: { finalizers: ['a', 'b', 'c'] } },
      patch: { metadata: { '$setElementOrder/finalizers': ['c', 'n', 'a'], finalizers: ['n'] } },
      result: { metadata: { finalizers: ['b', 'c', 'n', 'a'] } },
    },
    {
      name: 'replaces a map',
      shape: configMapShape,
      document: { metadata: { labels: { l: '1', m: '2' } } },
      patch: { metadata: { labels: { $patch: 'replace', only: '1' } } },
      result: { metadata: { labels: { only: '1' } } },
    },
    {
      name: 'empties a map',
      shape: configMapShape,
      document: { data: { a: '1' } },
      patch: { data: { $patch: 'delete' } },
      result: { data: {} },
    },
    {
      name: 'replaces lists that have no strategy',
      shape: deploymentShape,
      document: containers({ name: 'a', args: ['1', '2'] }),
      patch: containers({ name: 'a', args: ['3'] }),
      result: containers({ name: 'a', args: ['3'] }),
    },
    {
      name: 'takes a list that was not there without its directives',
      shape: deploymentShape,
      document: inPod({}),
      patch: inPod({
        '$setElementOrder/containers': [{ name: 'a' }],
        containers: [
          { name: 'a', env: [{ name: 'X', $patch: 'delete' }] },
          { name: 'b', $patch: 'delete' },
        ],
      }),
      result: containers({ name: 'a', env: [] }),
    },
    {
      name: 'merges when told to merge',
      shape: configMapShape,
      document: { data: { a: '1' } },
      patch: { data: { $patch: 'merge', b: '2' } },
      result: { data: { a: '1', b: '2' } },
    },
    {
      name: 'merges atomic selectors like any map',
      shape: serviceShape,
      document: { spec: { selector: { a: '1' } } },
      patch: { spec: { selector: { b: '2' } } },
      result: { spec: { selector: { a: '1', b: '2' } } },
    },
    {
      name: 'replaces what is of another type',
      shape: configMapShape,
      document: { data: null },
      patch: { data: { a: '1', b: null } },
      result: { data: { a: '1' } },
    },
  ])('$name', ({ shape, document, patch, result }) => {
    const snapshot = JSON.stringify([document, patch]);
    expect(applyStrategicPatch(shape, document, patch)).toEqual(result);
    expect(JSON.stringify([document, patch])).toBe(snapshot);
  });

  const twoContainers = containers({ name: 'a' }, { name: 'b' });
  test.for<{ name: string; patch: Json; code: number; message: string }>([
    {
      name: 'an order that is no list',
      patch: inPod({ $setElementOrder: 0, containers: [] }),
      code: 500,
      message: 'expected a []interface {}, but received a int64',
    },
    {
      name: 'an order of nothing',
      patch: inPod({ $setElementOrder: [] }),
      code: 400,
      message: 'invalid patch format of setElementOrder list',
    },
    {
      name: 'an item without its key',
      patch: containers({ image: 'noname' }),
      code: 500,
      message: 'map: map[image:noname] does not contain declared merge key: name',
    },
    {
      name: 'an unknown directive',
      patch: { metadata: { labels: { $patch: 'bogus' } } },
      code: 500,
      message: 'unknown patch type: bogus in map: map[$patch:bogus]',
    },
    {
      name: 'an unknown directive in an item',
      patch: containers({ name: 'a', $patch: 'bogus' }),
      code: 500,
      message: 'unknown patch type: bogus in map: map[$patch:bogus name:a]',
    },
    {
      name: 'a patch beyond its retained keys',
      patch: { spec: { strategy: { $retainKeys: ['type'], rollingUpdate: {} } } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      name: 'a deletion of nothing',
      patch: { metadata: { $deleteFromPrimitiveList: ['a'] } },
      code: 400,
      message: 'invalid patch format of primitive list',
    },
    {
      name: 'an order that misses an item of the patch',
      patch: inPod({ '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] }),
      code: 500,
      message:
        "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    },
    {
      name: 'something that is not an object',
      patch: [1],
      code: 400,
      message:
        'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
  ])('refuses $name', ({ patch, code, message }) => {
    const document: JsonObject = { ...twoContainers, metadata: { labels: { a: 'b' } } };
    const withStrategy = {
      ...document,
      spec: { ...(document['spec'] as JsonObject), strategy: { type: 'x' } },
    };
    try {
      applyStrategicPatch(deploymentShape, withStrategy, patch);
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code, message });
      return;
    }
    throw new Error('nothing was refused');
  });
});
