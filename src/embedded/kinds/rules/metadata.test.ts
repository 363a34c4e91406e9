import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { carryMetadata, validateObjectMetaUpdate } from './metadata-update.ts';
import { validateObjectMeta, type MetaRules } from '#kube/metadata/metadata.ts';
import { texts } from './testing/check.ts';

const rules: MetaRules = { nameRule: 'subdomain', namespaced: true };
const good: JsonObject = { name: 'a', namespace: 'n' };

test.for<readonly [what: string, meta: JsonObject, complaints: readonly string[]]>([
  [
    'nothing wrong',
    { labels: { a: 'b' }, annotations: { 'Up.example.com/x': '!' }, finalizers: ['e.com/a'] },
    [],
  ],
  ['no name', { name: '' }, ['metadata.name: Required value: name or generateName is required']],
  ['no namespace', { namespace: '' }, ['metadata.namespace: Required value']],
  [
    'a bad namespace',
    { namespace: 'a.b' },
    ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
  ],
  [
    'a negative generation',
    { generation: -1 },
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  ['a prefix may end with a dash', { generateName: 'gen-' }, []],
  [
    'finalizers without a domain',
    { finalizers: ['nodomain'] },
    [
      'metadata.finalizers[0]: Invalid value: "nodomain": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
  ['standard finalizers', { finalizers: ['foregroundDeletion'] }, []],
  [
    'contradicting finalizers',
    { finalizers: ['orphan', 'foregroundDeletion'] },
    [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  ['annotations of 256 KiB', { annotations: { b: 'x'.repeat(262_143) } }, []],
  [
    'annotations of more',
    { annotations: { b: 'x'.repeat(262_144) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  [
    'annotations of more bytes than characters',
    { annotations: { b: 'ä'.repeat(140_000) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  [
    'an owner without anything',
    { ownerReferences: [{}] },
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ],
  ],
])('%s', ([, meta, complaints]) => {
  expect(texts(validateObjectMeta({ ...good, ...meta }, rules))).toEqual(complaints);
});

test('a bad prefix is reported before the bad name made of it', () => {
  const errors = validateObjectMeta({ namespace: 'n', generateName: 'Bad_', name: 'Bad_x2x4z' }, rules);
  expect(errors.map((each) => each.field)).toEqual(['metadata.generateName', 'metadata.name']);
});

test('labels complain about keys and values', () => {
  const errors = validateObjectMeta({ ...good, labels: { 'bad key': 'bad value!' } }, rules);
  expect(errors.map((each) => each.field)).toEqual(['metadata.labels', 'metadata.labels']);
});

test('a cluster-scoped object has no namespace', () => {
  const errors = validateObjectMeta({ name: 'a', namespace: 'n' }, { nameRule: 'label', namespaced: false });
  expect(texts(errors)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
});

test('only one owner is the controller', () => {
  const owner = (name: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name,
    uid: name,
    controller: true,
  });
  const [error] = texts(validateObjectMeta({ ...good, ownerReferences: [owner('a'), owner('b')] }, rules));
  expect(error).toMatch(
    /^metadata\.ownerReferences: Invalid value: \[\]v1\.OwnerReference\{v1\.OwnerReference\{APIVersion:"v1", Kind:"Pod", Name:"a", UID:"a", Controller:\(\*bool\)\(0x/,
  );
  expect(error).toMatch(
    /Only one reference can have Controller set to true\. Found "true" in references for Pod\/a and Pod\/b$/,
  );
});

test('custom resources may have finalizers without a domain', () => {
  expect(validateObjectMeta({ ...good, finalizers: ['x'] }, { ...rules, strictFinalizers: false })).toEqual(
    [],
  );
});

const stored: JsonObject = { ...good, uid: 'u', creationTimestamp: 't', generation: 3 };

test.for<readonly [what: string, change: JsonObject, complaints: readonly string[]]>([
  ['nothing changed', {}, []],
  ['another uid', { uid: 'v' }, ['metadata.uid: Invalid value: "v": field is immutable']],
  [
    'a grace period',
    { deletionGracePeriodSeconds: 3 },
    ['metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable'],
  ],
  [
    'a smaller generation',
    { generation: 2 },
    ['metadata.generation: Invalid value: 2: must not be decremented'],
  ],
  ['finalizers while it lives', { finalizers: ['example.com/a'] }, []],
])('update: %s', ([, change, complaints]) => {
  expect(texts(validateObjectMetaUpdate({ ...stored, ...change }, stored))).toEqual(complaints);
});

test('no new finalizers while deleting', () => {
  const dying = { ...stored, deletionTimestamp: 'd', finalizers: ['example.com/a'] };
  const more = { ...dying, finalizers: ['example.com/a', 'example.com/c'] };
  expect(texts(validateObjectMetaUpdate(more, dying))).toEqual([
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}',
  ]);
  expect(validateObjectMetaUpdate({ ...dying, finalizers: [] }, dying)).toEqual([]);
});

test('what cannot change is carried over', () => {
  const old = { metadata: { ...stored, deletionTimestamp: 'd', deletionGracePeriodSeconds: 0 } };
  const given = {
    metadata: { ...good, creationTimestamp: '2001', generation: 9, selfLink: '/x' },
    data: { a: '1' },
  };
  expect(carryMetadata(given, old)).toEqual({ ...given, metadata: old.metadata });
});

test('carrying over nothing new copies nothing', () => {
  const old = { metadata: stored };
  const same = { metadata: stored, data: { a: '1' } };
  expect(carryMetadata(same, old)).toBe(same);
});
