import { expect, test } from 'vitest';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { nodeOf } from './node.ts';
import { stepRequest } from './step-request.ts';
import type { GarbageStep } from './decide.ts';

const ships: DiscoveredResource = {
  group: 'example.com',
  version: 'v1',
  plural: 'ships',
  kind: 'Ship',
  namespaced: true,
  verbs: [],
};
const first = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'a',
  uid: 'a',
  blockOwnerDeletion: true,
  controller: true,
};
const second = { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: 'b' };
const node = nodeOf(ships, {
  metadata: {
    name: 's',
    namespace: 'd',
    uid: 'u',
    resourceVersion: '7',
    finalizers: ['x/y', 'orphan'],
    ownerReferences: [first, second],
  },
});
const same = { uid: 'u', resourceVersion: '7' };

test.for<[GarbageStep, unknown]>([
  [
    { type: 'remove finalizer', finalizer: 'orphan' },
    { ...same, finalizers: ['x/y'] },
  ],
  [
    { type: 'drop owners', uids: ['a'] },
    { ...same, ownerReferences: [second] },
  ],
  [
    { type: 'drop owners', uids: ['b', 'a'] },
    { ...same, ownerReferences: null },
  ],
  [
    { type: 'unblock owners' },
    { ...same, ownerReferences: [{ ...first, blockOwnerDeletion: false }, second] },
  ],
])('%o is a patch of exactly this object', ([step, metadata]) => {
  expect(stepRequest(node, step)).toEqual({ verb: 'patch', body: { metadata } });
});

test('the last finalizer leaves no list behind', () => {
  const step: GarbageStep = { type: 'remove finalizer', finalizer: 'orphan' };
  const request = stepRequest({ ...node, finalizers: ['orphan'] }, step);
  expect(request).toEqual({ verb: 'patch', body: { metadata: { ...same, finalizers: null } } });
});

test('a deletion deletes exactly this object', () => {
  expect(stepRequest(node, { type: 'delete', policy: 'Background' })).toEqual({
    verb: 'delete',
    options: { preconditions: same, propagationPolicy: 'Background' },
  });
  expect(stepRequest(node, { type: 'nothing' })).toBeUndefined();
});
