import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { ApiError, statusOf } from '#kube/status.ts';
import { applyJsonPatch } from './json.ts';

const refused = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the server rejected our request due to an error in our request',
  reason: 'Invalid',
  details: {},
  code: 422,
};

const document = { data: { x: '1', y: '2' }, 'a/b': { '~': 1 }, list: ['a', 'b', { n: 1 }] };

describe('a JSON patch', () => {
  test.for<{ name: string; patch: Json; result: Json }>([
    { name: 'empty changes nothing', patch: [], result: document },
    { name: 'null changes nothing', patch: null, result: document },
    {
      name: 'adds, replaces, removes and tests members',
      patch: [
        { op: 'test', path: '/data/x', value: '1' },
        { op: 'replace', path: '/data/x', value: '2' },
        { op: 'add', path: '/data/z', value: '3' },
        { op: 'remove', path: '/data/y' },
      ],
      result: { ...document, data: { x: '2', z: '3' } },
    },
    {
      name: 'copies and moves',
      patch: [
        { op: 'copy', from: '/data/x', path: '/data/z' },
        { op: 'move', from: '/data/y', path: '/data/w' },
      ],
      result: { ...document, data: { x: '1', z: '1', w: '2' } },
    },
    {
      name: 'replaces a missing member, as real servers do',
      patch: [{ op: 'replace', path: '/data/new', value: '1' }],
      result: { ...document, data: { x: '1', y: '2', new: '1' } },
    },
    {
      name: 'reads escaped names',
      patch: [{ op: 'replace', path: '/a~1b/~0', value: 2 }],
      result: { ...document, 'a/b': { '~': 2 } },
    },
    {
      name: 'inserts into lists, appends and removes',
      patch: [
        { op: 'add', path: '/list/1', value: 'mid' },
        { op: 'add', path: '/list/-', value: 'end' },
        { op: 'remove', path: '/list/0' },
        { op: 'replace', path: '/list/2/n', value: 5 },
      ],
      result: { ...document, list: ['mid', 'b', { n: 5 }, 'end'] },
    },
    {
      name: 'counts negative places from the end',
      patch: [{ op: 'remove', path: '/list/-1' }],
      result: { ...document, list: ['a', 'b'] },
    },
    {
      name: 'sees a missing member as null in a test',
      patch: [{ op: 'test', path: '/data/q' }],
      result: document,
    },
    { name: 'can replace the whole', patch: [{ op: 'replace', path: '', value: 7 }], result: 7 },
    {
      name: 'copies a value into itself',
      patch: [
        { op: 'remove', path: '/list' },
        { op: 'copy', from: '', path: '/data' },
      ],
      result: { 'a/b': { '~': 1 }, data: { 'a/b': { '~': 1 }, data: { x: '1', y: '2' } } },
    },
    {
      name: 'keeps both places of a copy apart',
      patch: [
        { op: 'add', path: '/data/o', value: { n: 1 } },
        { op: 'replace', path: '/data/o/n', value: 2 },
        { op: 'copy', from: '/data/o', path: '/data/p' },
        { op: 'replace', path: '/data/o/n', value: 3 },
      ],
      result: { ...document, data: { x: '1', y: '2', o: { n: 3 }, p: { n: 2 } } },
    },
  ])('$name', ({ patch, result }) => {
    const before = structuredClone(document);
    const patchBefore = structuredClone(patch);
    expect(applyJsonPatch(document, patch)).toEqual(result);
    expect(document).toEqual(before);
    expect(patch).toEqual(patchBefore);
  });

  test.for<{ name: string; patch: Json }>([
    { name: 'a failed test', patch: [{ op: 'test', path: '/data/x', value: 'nope' }] },
    { name: 'a test of a part of a value', patch: [{ op: 'test', path: '/data', value: { x: '1' } }] },
    { name: 'a test of something missing', patch: [{ op: 'test', path: '/data/q', value: 1 }] },
    { name: 'a test below something missing', patch: [{ op: 'test', path: '/nope/q', value: null }] },
    { name: 'removing what is missing', patch: [{ op: 'remove', path: '/data/missing' }] },
    { name: 'adding below what is missing', patch: [{ op: 'add', path: '/nope/deep', value: 1 }] },
    { name: 'an unknown operation', patch: [{ op: 'bogus', path: '/data/x', value: 1 }] },
    { name: 'an index out of range', patch: [{ op: 'replace', path: '/list/7', value: 1 }] },
    { name: 'adding beyond the end', patch: [{ op: 'add', path: '/list/4', value: 1 }] },
    { name: 'an add without a value', patch: [{ op: 'add', path: '/data/x' }] },
    { name: 'a path without a slash', patch: [{ op: 'remove', path: 'data' }] },
    { name: 'a copy of what is missing', patch: [{ op: 'copy', from: '/q', path: '/r' }] },
    { name: 'a move into itself', patch: [{ op: 'move', from: '/data', path: '/data/in' }] },
    { name: 'a way through a text', patch: [{ op: 'add', path: '/data/x/y', value: 1 }] },
    { name: '__proto__', patch: [{ op: 'add', path: '/__proto__/polluted', value: 1 }] },
    {
      name: 'constructor.prototype',
      patch: [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
    },
    { name: 'an operation of null', patch: [null] },
  ])('refuses $name with 422', ({ patch }) => {
    expect(statusOf(refusal(() => applyJsonPatch(document, patch)))).toEqual(refused);
  });

  test.for<{ patch: Json; message: string }>([
    {
      patch: { op: 'add' },
      message: 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    },
    { patch: 'x', message: 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp' },
    { patch: [1], message: 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp' },
    {
      patch: [{ op: 'add', path: 1 }],
      message: 'json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    },
  ])('of the wrong type is a bad request: $message', ({ patch, message }) => {
    const error = refusal(() => applyJsonPatch(document, patch));
    expect([error.code, error.reason, error.message]).toEqual([
      400,
      'BadRequest',
      `error decoding patch: ${message}`,
    ]);
  });

  test('is limited in operations and in what it copies', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/x', value: '1' }));
    expect(refusal(() => applyJsonPatch(document, many))).toMatchObject({
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
    const doubling = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/o', path: '/o/-' }));
    expect(refusal(() => applyJsonPatch({ o: ['some text'] }, doubling)).code).toBe(422);
  });

  test('treats __proto__ as a name like any other', () => {
    const start = { data: { a: '1' } };
    const result = applyJsonPatch(start, [
      { op: 'add', path: '/data/__proto__', value: { n: 1 } },
      { op: 'replace', path: '/data/__proto__/n', value: 2 },
      { op: 'test', path: '/data/__proto__/n', value: 2 },
      { op: 'copy', from: '/data', path: '/copied' },
      { op: 'move', from: '/data/__proto__', path: '/moved' },
      { op: 'replace', path: '/copied/__proto__/n', value: 3 },
      { op: 'add', path: '/constructor', value: 'x' },
    ]);
    expect(JSON.stringify(result)).toBe(
      '{"data":{"a":"1"},"copied":{"a":"1","__proto__":{"n":3}},"moved":{"n":2},"constructor":"x"}',
    );
    expect(Object.getPrototypeOf((result as { copied: object }).copied)).toBe(Object.prototype);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('refuses to copy what moves have nested too deeply', () => {
    const patch: Json[] = [{ op: 'add', path: '/b', value: {} }];
    for (let depth = 0; depth < 3000; depth += 1) {
      patch.push({ op: 'add', path: '/a', value: {} }, { op: 'move', from: '/b', path: '/a/a' });
      patch.push({ op: 'move', from: '/a', path: '/b' });
    }
    patch.push({ op: 'copy', from: '/b', path: '/c' });
    expect(refusal(() => applyJsonPatch({}, patch)).code).toBe(422);
  });

  test('takes no longer for a large map when copies and changes alternate', () => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'x']));
    const patch = Array.from({ length: 10_000 }, (_, i) =>
      i % 2 === 0
        ? { op: 'copy', from: '/data/k1', path: '/data/k2' }
        : { op: 'replace', path: '/data/k3', value: `${i}` },
    );
    const start = performance.now();
    expect(applyJsonPatch({ data }, patch)).toEqual({ data: { ...data, k3: '9999' } });
    expect(performance.now() - start).toBeLessThan(3000);
  });

  test('shares what it does not touch', () => {
    const result = applyJsonPatch(document, [{ op: 'add', path: '/data/z', value: '1' }]);
    expect((result as typeof document).list).toBe(document.list);
  });
});

const token = fc.constantFrom('a', 'b', 'c', '0', '1', '-');
const path = fc.array(token, { maxLength: 3 }).map((tokens) => tokens.map((each) => `/${each}`).join(''));
const tree = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(1, 'x', null),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node')) as fc.Arbitrary<Json>,
    fc.array(tie('node'), { maxLength: 3 }) as fc.Arbitrary<Json>,
  ),
})).node;
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: tree }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constantFrom('copy', 'move'), path, from: path }),
);

test('any patch changes neither argument, and is the same in one go as step by step', () => {
  fc.assert(
    fc.property(tree, fc.array(operation, { maxLength: 6 }), (start, operations) => {
      const snapshot = JSON.stringify([start, operations]);
      const whole = outcome(() => applyJsonPatch(start, operations));
      const steps = outcome(() =>
        operations.reduce((value, each) => applyJsonPatch(value, [each] as Json), start),
      );
      expect(whole).toEqual(steps);
      expect(JSON.stringify([start, operations])).toBe(snapshot);
    }),
    { numRuns: 500 },
  );
});

function outcome(run: () => Json): unknown {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code };
    throw error;
  }
}

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
