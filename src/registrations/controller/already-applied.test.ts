import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { fieldManager } from '#registrations/model/registration.ts';
import { isAlreadyApplied } from './already-applied.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { ChildPacker } from './packed-child.ts';

const container = (more: JsonObject = {}): JsonObject => ({ name: 'adapter', image: 'a:1', ...more });
const wanted = (containers: readonly JsonObject[], meta: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x', namespace: 'default', labels: { a: 'b' }, ...meta },
  spec: { replicas: 1, template: { spec: { containers } } },
});
const fieldsOf = (more: JsonObject = {}): JsonObject => ({
  'f:metadata': { 'f:labels': { 'f:a': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:template': {
      'f:spec': {
        'f:containers': { 'k:{"name":"adapter"}': { '.': {}, 'f:name': {}, 'f:image': {}, ...more } },
      },
    },
  },
});
const live = (object: JsonObject, owned: JsonObject): JsonObject => ({
  ...object,
  metadata: {
    ...(object['metadata'] as JsonObject),
    uid: '1',
    managedFields: [
      { manager: 'other', operation: 'Update', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
      { manager: fieldManager, operation: 'Apply', fieldsV1: owned },
    ],
  },
  status: { replicas: 1 },
});
const env = (...names: readonly string[]): JsonObject => ({
  env: names.map((name) => ({ name, value: '1' })),
});
const envFields = (...names: readonly string[]): JsonObject => ({
  'f:env': Object.fromEntries(
    names.map((name) => [`k:{"name":"${name}"}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
  ),
});
const limits = (cpu: string): JsonObject => ({ resources: { limits: { cpu } } });
const limitFields = { 'f:resources': { 'f:limits': { 'f:cpu': {} } } };

test.for<[string, JsonObject, JsonObject, boolean]>([
  ['the same', wanted([container()]), live(wanted([container()]), fieldsOf()), true],
  ['another value', wanted([container({ image: 'a:2' })]), live(wanted([container()]), fieldsOf()), false],
  [
    'another client changed it',
    wanted([container()]),
    live(wanted([container({ image: 'b' })]), fieldsOf()),
    false,
  ],
  ['defaults', wanted([container()]), live(wanted([container({ pull: 'Always' })]), fieldsOf()), true],
  [
    'a container of others',
    wanted([container()]),
    live(wanted([{ name: 's' }, container()]), fieldsOf()),
    true,
  ],
  [
    'a variable less',
    wanted([container(env('A'))]),
    live(wanted([container(env('A', 'B'))]), fieldsOf(envFields('A', 'B'))),
    false,
  ],
  [
    'a variable more',
    wanted([container(env('A', 'B'))]),
    live(wanted([container(env('A'))]), fieldsOf(envFields('A'))),
    false,
  ],
  [
    'a field less',
    wanted([container()]),
    live(wanted([container({ tty: true })]), fieldsOf({ 'f:tty': {} })),
    false,
  ],
  [
    'a quantity in another form',
    wanted([container(limits('0.25'))]),
    live(wanted([container(limits('250m'))]), fieldsOf(limitFields)),
    true,
  ],
  [
    'another quantity',
    wanted([container(limits('0.5'))]),
    live(wanted([container(limits('250m'))]), fieldsOf(limitFields)),
    false,
  ],
  ['ours by nobody', wanted([container()]), wanted([container()]), false],
  ['a label less', wanted([container()], { labels: {} }), live(wanted([container()]), fieldsOf()), false],
])('%s', ([, desired, there, isSame]) => {
  expect(isAlreadyApplied(desired, there)).toBe(isSame);
  const packer = new ChildPacker();
  expect(isAlreadyApplied(desired, packer.unpack(packer.decoder.of(there)))).toBe(isSame);
});

test('packed, a child is much shorter, and nothing but what others own is lost', () => {
  const there = live(wanted([container(env('A', 'B'))]), fieldsOf(envFields('A', 'B')));
  const packer = new ChildPacker();
  const packed = packer.decoder.of(there);
  const { managedFields: _managed, ...meta } = metaOf(there);
  const back = packer.unpack(packed);
  expect(back).toMatchObject({ ...there, metadata: meta });
  expect(JSON.stringify(back)).not.toContain('paused');
  expect(packer.decoder.of(packed as KubeObject)).toEqual(packed);
  expect(packer.unpack(back)).toEqual(back);
});

test('what is ours of children that look alike is kept once, and each gets its own back', () => {
  const packer = new ChildPacker();
  const child = (uid: string): KubeObject => {
    const ownerReferences = [{ apiVersion: 'a/v1', kind: 'K', name: uid, uid, controller: true }];
    const fieldsV1 = { 'f:metadata': { 'f:ownerReferences': { [`k:{"uid":"${uid}"}`]: {} } } };
    const managedFields = [{ manager: 'boathook-registration', operation: 'Apply', fieldsV1 }];
    return { kind: 'Service', metadata: { name: uid, uid: `c-${uid}`, ownerReferences, managedFields } };
  };
  const [one, other] = ['0001', '0002'].map((uid) => packer.decoder.of(child(uid)) as KubeObject);
  expect(one?.['owned']).toBe(other?.['owned']);
  for (const [uid, packed] of [
    ['0001', one],
    ['0002', other],
  ] as const)
    expect(packer.unpack(packed ?? {})).toMatchObject({
      metadata: { managedFields: expect.stringContaining(`uid\\":\\"${uid}`) as string },
    });
});
