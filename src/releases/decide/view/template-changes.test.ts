import { expect, test } from 'vitest';
import { templateChanges } from './template-changes.ts';

const containers = (...items: readonly object[]) => ({ spec: { containers: items } }) as never;

test.for([
  [
    'an image of a container by its name, whatever its place',
    containers({ name: 'a', image: 'a:1' }, { name: 'b', image: 'b:1' }),
    containers({ name: 'b', image: 'b:2' }, { name: 'a', image: 'a:1' }),
    [{ path: 'spec.containers[name=b].image', from: 'b:1', to: 'b:2' }],
  ],
  [
    'a container that is added',
    containers({ name: 'a' }),
    containers({ name: 'a' }, { name: 'b', image: 'b' }),
    [{ path: 'spec.containers[name=b]', to: { name: 'b', image: 'b' } }],
  ],
  [
    'the same containers in another order',
    containers({ name: 'a' }, { name: 'b' }),
    containers({ name: 'b' }, { name: 'a' }),
    [{ path: 'spec.containers', from: [{ name: 'a' }, { name: 'b' }], to: [{ name: 'b' }, { name: 'a' }] }],
  ],
  [
    'items without names by their place',
    { args: ['a', 'b'] },
    { args: ['a', 'c', 'd'] },
    [
      { path: 'args[1]', from: 'b', to: 'c' },
      { path: 'args[2]', to: 'd' },
    ],
  ],
  ['keys that are no words', { 'a.b/c': '1' }, { 'a.b/c': '2' }, [{ path: '["a.b/c"]', from: '1', to: '2' }]],
  ['a field that is removed', { a: 1, b: 2 }, { b: 2 }, [{ path: 'a', from: 1 }]],
  ['nothing', { a: [1] }, { a: [1] }, []],
] as const)('%s', ([, from, to, changes]) => {
  expect(templateChanges(from, to)).toEqual(changes);
});
