import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { keyOf, type Delta } from './delta.ts';
import { ObjectCache } from './object-cache.ts';

const make = (key: string, version: number, more: { uid?: string; colours?: string } = {}): KubeObject => {
  const [namespace = '', name = ''] = key.split('/');
  const { uid = key, colours = '' } = more;
  return { metadata: { namespace, name, uid, resourceVersion: String(version) }, colours };
};
const coloursOf = (object: KubeObject): readonly string[] => (textAt(object, 'colours') ?? '').split('');
const told = (deltas: Iterable<Delta>): readonly string[] =>
  [...deltas].map(({ type, object }) => `${type} ${keyOf(object)}@${resourceVersionOf(object)}`);

test('each change reports its difference', () => {
  const cache = new ObjectCache({});
  expect(told(cache.put(make('n/a', 1)))).toEqual(['added n/a@1']);
  expect(told(cache.put(make('n/a', 1)))).toEqual([]);
  expect([...cache.put(make('n/a', 3))]).toEqual([
    { type: 'updated', object: make('n/a', 3), old: make('n/a', 1) },
  ]);
  expect(told(cache.put(make('n/a', 2)))).toEqual([]);
  expect(told(cache.put(make('n/a', 4, { uid: 'new' })))).toEqual(['deleted n/a@3', 'added n/a@4']);
  expect(told(cache.remove(make('n/a', 3)))).toEqual([]);
  expect(told(cache.remove(make('n/a', 5)))).toEqual(['deleted n/a@5']);
  expect(told(cache.remove(make('n/a', 6)))).toEqual([]);
});

const listed = (...objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> =>
  new Map(objects.map((object) => [keyOf(object), object]));

test('a whole list reports the differences, in the order of keys; only a restored store returns to older versions', () => {
  const cache = new ObjectCache({});
  const first = listed(make('n/c', 3), make('n/a', 1), make('m/b', 2));
  expect(told(cache.replace(first))).toEqual(['added m/b@2', 'added n/a@1', 'added n/c@3']);
  const second = listed(make('n/a', 1), make('n/c', 9, { uid: 'new' }), make('n/d', 2), make('m/b', 1));
  expect(told(cache.replace(second))).toEqual(['deleted n/c@3', 'added n/c@9', 'added n/d@2']);
  expect(told(cache.restore(second))).toEqual(['updated m/b@1']);
  expect(told(cache.restore(listed()))).toHaveLength(4);
});

test('the known state is kept when it is the same', () => {
  const cache = new ObjectCache({});
  const known = make('n/a', 1);
  expect(told(cache.put(known))).toHaveLength(1);
  expect(cache.same(make('n/a', 1))).toBe(known);
  expect(cache.same(make('n/a', 2))).toBeUndefined();
  expect(cache.same(make('n/a', 1, { uid: 'new' }))).toBeUndefined();
  expect(cache.same(make('n/b', 1))).toBeUndefined();
});

const object = fc
  .record({
    key: fc.constantFrom('n/a', 'n/b', 'm/a', 'm/b'),
    uid: fc.constantFrom('1', '2'),
    colours: fc.constantFrom('', 'r', 'g', 'rg', 'gb'),
  })
  .map(({ key, ...more }) => ({ key, more }));
const change = fc.oneof(
  fc.record({ type: fc.constant('put' as const), object }),
  fc.record({ type: fc.constant('remove' as const), object }),
  fc.record({ type: fc.constant('replace' as const), objects: fc.array(object, { maxLength: 4 }) }),
);

test('indexes are at all times what a look at every object gives', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30, size: 'max' }), fc.nat(30), (changes, late) => {
      const cache = new ObjectCache({ colour: coloursOf });
      let version = 0;
      const made = ({ key, more }: { key: string; more: { uid: string; colours: string } }): KubeObject =>
        make(key, (version += 1), more);
      const apply = (each: (typeof changes)[number]): Iterable<Delta> => {
        if (each.type === 'put') return cache.put(made(each.object));
        if (each.type === 'remove') return cache.remove(made(each.object));
        return cache.replace(listed(...each.objects.map(made)));
      };
      for (const [i, each] of changes.entries()) {
        if (i === late) cache.addIndexes({ uid: (it) => [uidOf(it)] });
        expect([...apply(each)].every(({ type }) => type !== undefined)).toBe(true);
      }
      const names = (objects: readonly KubeObject[]): readonly string[] => objects.map(keyOf).sort();
      const where = (is: (it: KubeObject) => boolean): readonly string[] => names(cache.list().filter(is));
      for (const colour of 'rgb')
        expect(names(cache.byIndex('colour', colour))).toEqual(where((it) => coloursOf(it).includes(colour)));
      for (const namespace of ['n', 'm'])
        expect(names(cache.list(namespace))).toEqual(where((it) => namespaceOf(it) === namespace));
      if (late < changes.length)
        expect(names(cache.byIndex('uid', '1'))).toEqual(where((it) => uidOf(it) === '1'));
      for (const it of cache.list()) expect(cache.get(namespaceOf(it), nameOf(it))).toBe(it);
    }),
  );
});
