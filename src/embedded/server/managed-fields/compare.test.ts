import { describe, expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { scalarShape, type Shape, untypedShape } from '#kube/shape.ts';
import { compare } from './compare.ts';
import { fieldSetOf } from './field-set-of.ts';
import {
  atomicList,
  configMapShape,
  deploymentShape,
  keyedList,
  mapOf,
  serviceShape,
  setList,
  struct,
} from '#schema/testing/shapes.ts';

const text = scalarShape;
const widget = struct({
  spec: struct({
    set: setList(text),
    atom: atomicList(text),
    map: keyedList(struct({ k: text, v: text }), ['k']),
    gm: mapOf(text),
    am: mapOf(text, true),
    deep: mapOf(struct({ a: text })),
  }),
});

describe('what an applier comes to own', () => {
  test.for<{ name: string; shape: Shape; object: Json; owned: Json }>([
    {
      name: 'leaves of maps',
      shape: configMapShape,
      object: { data: { y: '1', x: '2' } },
      owned: { 'f:data': { 'f:x': {}, 'f:y': {} } },
    },
    { name: 'an empty map', shape: configMapShape, object: { data: {} }, owned: { 'f:data': {} } },
    { name: 'a null', shape: configMapShape, object: { data: null }, owned: { 'f:data': {} } },
    {
      name: 'nothing for an empty list of items',
      shape: widget,
      object: { spec: { set: [], map: [] } },
      owned: {},
    },
    {
      name: 'lists and maps of every kind',
      shape: widget,
      object: {
        spec: { set: ['b', 'a'], atom: ['a'], map: [{ k: 'a', v: '1' }], gm: { x: '1' }, am: { x: '1' } },
      },
      owned: {
        'f:spec': {
          'f:am': {},
          'f:atom': {},
          'f:gm': { 'f:x': {} },
          'f:map': { 'k:{"k":"a"}': { '.': {}, 'f:k': {}, 'f:v': {} } },
          'f:set': { 'v:"a"': {}, 'v:"b"': {} },
        },
      },
    },
    {
      name: 'the keys of a map besides what is below them',
      shape: widget,
      object: { spec: { deep: { one: { a: '1' } } } },
      owned: { 'f:spec': { 'f:deep': { 'f:one': { '.': {}, 'f:a': {} } } } },
    },
    {
      name: 'where nothing is known, maps by key and lists as a whole',
      shape: untypedShape,
      object: { spec: { a: { b: 1 }, l: [1, { x: 1 }] } },
      owned: { 'f:spec': { '.': {}, 'f:a': { '.': {}, 'f:b': {} }, 'f:l': {} } },
    },
    {
      name: 'items under the defaults of their keys',
      shape: serviceShape,
      object: { spec: { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }], selector: { a: 'b' } } },
      owned: {
        'f:spec': {
          'f:ports': {
            'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
            'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
          },
          'f:selector': {},
        },
      },
    },
    {
      name: 'an atomic item by its identity alone',
      shape: deploymentShape,
      object: { metadata: { ownerReferences: [{ uid: 'u', name: 'n' }] } },
      owned: { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u"}': {} } } },
    },
  ])('$name', ({ shape, object, owned }) => {
    expect(JSON.stringify(fieldSetOf(shape, object))).toBe(JSON.stringify(owned));
  });
});

describe('a comparison', () => {
  type Outcome = { added?: Json; modified?: Json; removed?: Json };
  test.for<{ name: string; shape: Shape; before: Json; after: Json; outcome: Outcome }>([
    {
      name: 'finds nothing in equal objects',
      shape: widget,
      before: { spec: { gm: { a: '1' } } },
      after: { spec: { gm: { a: '1' } } },
      outcome: {},
    },
    {
      name: 'adds a container with everything in it',
      shape: widget,
      before: {},
      after: { spec: { gm: { a: '1' }, set: ['x'] } },
      outcome: {
        added: { 'f:spec': { '.': {}, 'f:gm': { '.': {}, 'f:a': {} }, 'f:set': { '.': {}, 'v:"x"': {} } } },
      },
    },
    {
      name: 'sees it go likewise',
      shape: widget,
      before: { spec: { gm: { a: '1' } } },
      after: { spec: {} },
      outcome: { removed: { 'f:spec': { 'f:gm': { '.': {}, 'f:a': {} } } } },
    },
    {
      name: 'sees members of maps come, change and go',
      shape: widget,
      before: { spec: { gm: { a: '1', b: '1' } } },
      after: { spec: { gm: { b: '2', c: '1' } } },
      outcome: {
        added: { 'f:spec': { 'f:gm': { 'f:c': {} } } },
        modified: { 'f:spec': { 'f:gm': { 'f:b': {} } } },
        removed: { 'f:spec': { 'f:gm': { 'f:a': {} } } },
      },
    },
    {
      name: 'follows items by key, wherever they stand',
      shape: widget,
      before: {
        spec: {
          map: [
            { k: 'a', v: '1' },
            { k: 'b', v: '1' },
          ],
        },
      },
      after: {
        spec: {
          map: [
            { k: 'b', v: '2' },
            { k: 'a', v: '1' },
          ],
        },
      },
      outcome: { modified: { 'f:spec': { 'f:map': { 'k:{"k":"b"}': { 'f:v': {} } } } } },
    },
    {
      name: 'takes atomic things as wholes',
      shape: widget,
      before: { spec: { atom: ['a'], am: { x: '1' } } },
      after: { spec: { atom: ['a', 'b'], am: { y: '1' } } },
      outcome: { modified: { 'f:spec': { 'f:am': {}, 'f:atom': {} } } },
    },
    {
      name: 'does not count a list that was null before as new',
      shape: widget,
      before: { spec: { map: null, gm: {} } },
      after: { spec: { map: [{ k: 'a' }], gm: { a: '1' } } },
      outcome: {
        added: { 'f:spec': { 'f:gm': { 'f:a': {} }, 'f:map': { 'k:{"k":"a"}': { '.': {}, 'f:k': {} } } } },
      },
    },
    {
      name: 'distinguishes empty from null',
      shape: widget,
      before: { spec: { gm: null } },
      after: { spec: { gm: {} } },
      outcome: { modified: { 'f:spec': { 'f:gm': {} } } },
    },
    {
      name: 'takes items of one identity together',
      shape: widget,
      before: { spec: { map: [{ k: 'a', v: '1' }] } },
      after: {
        spec: {
          map: [
            { k: 'a', v: '1' },
            { k: 'a', v: '2' },
          ],
        },
      },
      outcome: {
        added: { 'f:spec': { 'f:map': { 'k:{"k":"a"}': {} } } },
        removed: { 'f:spec': { 'f:map': { 'k:{"k":"a"}': { '.': {}, 'f:k': {}, 'f:v': {} } } } },
      },
    },
    {
      name: 'sees an untyped map become a text',
      shape: untypedShape,
      before: { a: { b: 1 } },
      after: { a: 'x' },
      outcome: { modified: { 'f:a': {} }, removed: { 'f:a': { 'f:b': {} } } },
    },
    {
      name: 'sees a null become a map by what appears in it',
      shape: untypedShape,
      before: { a: null },
      after: { a: { b: 1 } },
      outcome: { added: { 'f:a': { 'f:b': {} } } },
    },
    {
      name: 'copes with members named like those of the prototype',
      shape: widget,
      before: { spec: { gm: {} } },
      after: { spec: { gm: JSON.parse('{"constructor":"x","__proto__":"y"}') as Json } },
      outcome: { added: { 'f:spec': { 'f:gm': { 'f:__proto__': {}, 'f:constructor': {} } } } },
    },
  ])('$name', ({ shape, before, after, outcome }) => {
    const found = compare(shape, before, after);
    expect(JSON.stringify(found)).toBe(JSON.stringify({ added: {}, modified: {}, removed: {}, ...outcome }));
  });

  test('ignores the given fields', () => {
    const skip = { 'f:spec': { '.': {}, 'f:gm': {} } };
    expect(compare(widget, {}, { spec: { gm: { a: '1' }, atom: [] } }, skip)).toEqual({
      added: { 'f:spec': { 'f:atom': {} } },
      modified: {},
      removed: {},
    });
    expect(compare(widget, { spec: { gm: {} } }, {}, skip).removed).toEqual({});
  });
});
