import { expect, test } from 'vitest';
import type { ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import { nodeOf } from './node.ts';
import { stepRequest } from './step-request.ts';
import type { Step } from './decide.ts';

const ships: ResourceRef = {
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
const path = '/apis/example.com/v1/namespaces/d/ships/s';
const same = { uid: 'u', resourceVersion: '7' };

test.for<[Step, unknown]>([
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
  const contentType = 'application/merge-patch+json';
  expect(stepRequest(node, step)).toEqual({ method: 'PATCH', path, contentType, body: { metadata } });
});

test('the last finalizer leaves no list behind', () => {
  const step: Step = { type: 'remove finalizer', finalizer: 'orphan' };
  const request = stepRequest({ ...node, finalizers: ['orphan'] }, step);
  expect(request?.body).toEqual({ metadata: { ...same, finalizers: null } });
});

test('a deletion deletes exactly this object', () => {
  expect(stepRequest(node, { type: 'delete', policy: 'Background' })).toEqual({
    method: 'DELETE',
    path,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: same, propagationPolicy: 'Background' },
  });
  expect(stepRequest(node, { type: 'nothing' })).toBeUndefined();
});
