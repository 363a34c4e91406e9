import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { inspectCrd } from './inspect-crd.ts';

const text = { type: 'string' };
const conditions = {
  type: 'array',
  items: {
    type: 'object',
    properties: { type: text, status: text, reason: text, message: text, lastTransitionTime: text },
  },
};
const full = {
  observedGeneration: { type: 'integer' },
  annotations: { type: 'object', additionalProperties: text },
  address: { type: 'object', properties: { url: text } },
  conditions,
};
const version = (name: string, more: JsonObject = {}): JsonObject => ({ name, served: true, ...more });
const crd = (versions: readonly Json[], scope = 'Namespaced'): JsonObject => ({
  metadata: { name: 'kuards.example.com' },
  spec: { group: 'example.com', scope, names: { kind: 'Kuard', plural: 'kuards' }, versions },
});
const withStatus = (status: JsonObject | undefined, subresources: JsonObject = { status: {} }): JsonObject =>
  version('v1', {
    subresources,
    schema: { openAPIV3Schema: { type: 'object', properties: status === undefined ? {} : { status } } },
  });

test.for<[string, readonly JsonObject[], string]>([
  ['the highest', [version('v1alpha1'), version('v1'), version('v1beta1')], 'v1'],
  ['numbers count', [version('v9'), version('v10'), version('v2')], 'v10'],
  ['served only', [version('v2', { served: false }), version('v1')], 'v1'],
  ['deprecated ones last', [version('v2', { deprecated: true }), version('v1beta1')], 'v1beta1'],
  ['deprecated if there is no other', [version('v1', { deprecated: true })], 'v1'],
])('%s', ([, versions, name]) => {
  expect(inspectCrd(crd(versions))).toMatchObject({
    type: 'usable',
    kind: { version: name, kind: 'Kuard', plural: 'kuards' },
  });
});

const off = { observedGeneration: false, annotations: false, address: false, conditions: false };
const on = { observedGeneration: true, annotations: true, address: true, conditions: true };
const { lastTransitionTime: _left, ...four } = conditions.items.properties;

test.for<[string, JsonObject, JsonObject]>([
  ['a full status', withStatus({ type: 'object', properties: full }), { subresource: true, ...on }],
  [
    'a full status without the subresource',
    withStatus({ type: 'object', properties: full }, {}),
    { subresource: false, ...off },
  ],
  [
    'conditions only',
    withStatus({ type: 'object', properties: { conditions } }),
    { ...off, conditions: true },
  ],
  ['no status', withStatus(undefined), { subresource: true, ...off }],
  [
    'an address only',
    withStatus({ type: 'object', properties: { address: full.address } }),
    { ...off, address: true },
  ],
  ['anything goes', withStatus({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }), off],
  [
    'a member of conditions missing',
    withStatus({
      type: 'object',
      properties: { conditions: { type: 'array', items: { properties: four } } },
    }),
    off,
  ],
])('%s', ([, given, supports]) => {
  expect(inspectCrd(crd([given]))).toMatchObject({ kind: { supports } });
});

test.for<[string, JsonObject, RegExp]>([
  ['a cluster-scoped one', crd([version('v1')], 'Cluster'), /scope must be Namespaced/],
  ['one that serves nothing', crd([version('v1', { served: false })]), /serves no version/],
])('%s is of no use', ([, given, message]) => {
  expect(inspectCrd(given)).toMatchObject({ type: 'unusable', message: expect.stringMatching(message) });
});
