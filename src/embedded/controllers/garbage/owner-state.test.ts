import { expect, test } from 'vitest';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import type { JsonObject } from '#base/json.ts';
import { nodeOf, type GraphNode } from './node.ts';
import { ownerState, type OwnerState, type OwnerScope } from './owner-state.ts';

const resource = (kind: string, namespaced: boolean): DiscoveredResource => ({
  group: 'apps',
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced,
  verbs: [],
});
const local = resource('Local', true);
const wide = resource('Wide', false);
const object = (namespace: string, meta: JsonObject = {}): JsonObject => ({
  metadata: { name: 'o', uid: 'o', ...(namespace === '' ? {} : { namespace }), ...meta },
});
const going = (...finalizers: string[]): JsonObject => ({ deletionTimestamp: 'now', finalizers });

type Case = readonly [
  says: string,
  reference: JsonObject,
  found: GraphNode | undefined,
  scope: OwnerScope,
  inside: GraphNode,
  state: OwnerState,
];

const reference = { apiVersion: 'apps/v1', kind: 'Local', name: 'o', uid: 'o' };
const below = (of: DiscoveredResource, namespace: string): GraphNode => nodeOf(of, object(namespace));
const here = below(local, 'here');

const cases: readonly Case[] = [
  ['there', reference, nodeOf(local, object('here')), 'namespaced', here, 'solid'],
  [
    'there in another version',
    { ...reference, apiVersion: 'apps/v2' },
    nodeOf(local, object('here')),
    'namespaced',
    here,
    'solid',
  ],
  ['not there', reference, undefined, 'namespaced', here, 'absent'],
  ['another name', { ...reference, name: 'p' }, nodeOf(local, object('here')), 'namespaced', here, 'absent'],
  [
    'another kind',
    { ...reference, kind: 'Wide' },
    nodeOf(local, object('here')),
    'namespaced',
    here,
    'absent',
  ],
  [
    'another group',
    { ...reference, apiVersion: 'v1' },
    nodeOf(local, object('here')),
    'namespaced',
    here,
    'absent',
  ],
  ['another namespace', reference, nodeOf(local, object('there')), 'namespaced', here, 'elsewhere'],
  ['cluster-scoped', { ...reference, kind: 'Wide' }, nodeOf(wide, object('')), 'cluster', here, 'solid'],
  [
    'of a wide object',
    { ...reference, kind: 'Wide' },
    nodeOf(wide, object('')),
    'cluster',
    below(wide, ''),
    'solid',
  ],
  [
    'local, of a wide object',
    reference,
    nodeOf(local, object('here')),
    'namespaced',
    below(wide, ''),
    'unresolvable',
  ],
  ['absent, of a wide object', reference, undefined, 'namespaced', below(wide, ''), 'unresolvable'],
  ['of no kind we know', reference, undefined, 'unknown', here, 'unknown'],
  [
    'waiting',
    reference,
    nodeOf(local, object('here', going('foregroundDeletion'))),
    'namespaced',
    here,
    'waiting',
  ],
  ['orphaning', reference, nodeOf(local, object('here', going('orphan'))), 'namespaced', here, 'orphaning'],
  [
    'going for other reasons',
    reference,
    nodeOf(local, object('here', going('x/y'))),
    'namespaced',
    here,
    'solid',
  ],
  [
    'not going yet',
    reference,
    nodeOf(local, object('here', { finalizers: ['orphan'] })),
    'namespaced',
    here,
    'solid',
  ],
];

test.for(cases)('an owner that is %s', ([, json, found, scope, inside, state]) => {
  const [parsed] = nodeOf(local, object('here', { ownerReferences: [json] })).owners;
  expect(parsed).toBeDefined();
  if (parsed !== undefined) expect(ownerState(inside, parsed, { found, scope, isGone: false })).toBe(state);
});

test('an owner seen to vanish with its kind is absent', () => {
  const [parsed] = nodeOf(local, object('here', { ownerReferences: [reference] })).owners;
  const facts = { found: undefined, scope: 'unknown', isGone: true } as const;
  expect(parsed === undefined ? undefined : ownerState(here, parsed, facts)).toBe('absent');
});
