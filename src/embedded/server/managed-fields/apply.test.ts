import { describe, expect, test } from 'vitest';
import { listAt, type Json, type JsonObject } from '#base/json.ts';
import { instant, later, seconds } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { scalarShape, type Shape, untypedShape } from '#kube/shape.ts';
import { ApiError, statusOf } from '#kube/status.ts';
import { applyServerSide } from './apply.ts';
import { trackUpdate } from './managed-fields.ts';
import { applyScale, trackScale } from './scale.ts';
import {
  atomicList,
  configMapShape,
  deploymentShape,
  keyedList,
  mapOf,
  metaShape,
  serviceShape,
  setList,
  struct,
} from '#schema/testing/shapes.ts';

const start = instant(1_600_000_000_000);
const startText = '2020-09-13T12:26:40Z';
const text = scalarShape;
const widgetShape = struct({
  apiVersion: text,
  kind: text,
  metadata: metaShape,
  spec: struct({
    set: setList(text),
    atom: atomicList(text),
    map: keyedList(struct({ k: text, v: text }), ['k']),
    gm: mapOf(text),
    am: mapOf(text, true),
  }),
});

type Kind = { shape: Shape; apiVersion: string; kind: string };
const kinds = {
  configMap: { shape: configMapShape, apiVersion: 'v1', kind: 'ConfigMap' },
  service: { shape: serviceShape, apiVersion: 'v1', kind: 'Service' },
  deployment: { shape: deploymentShape, apiVersion: 'apps/v1', kind: 'Deployment' },
  widget: { shape: widgetShape, apiVersion: 'x.io/v1', kind: 'Widget' },
  blob: { shape: untypedShape, apiVersion: 'x.io/v1', kind: 'Blob' },
} satisfies Record<string, Kind>;

/** Applies and updates one object, step by step. */
function story({ shape, apiVersion, kind }: Kind) {
  let live: KubeObject | undefined;
  let now = start;
  const named = (content: JsonObject): KubeObject => ({
    apiVersion,
    kind,
    ...content,
    metadata: { name: 'o', ...(content['metadata'] as JsonObject | undefined) },
  });
  const apply = (
    manager: string,
    content: JsonObject,
    options: { force?: boolean; subresource?: string } = {},
  ): KubeObject => {
    const { force = false, subresource } = options;
    const { object, changed } = applyServerSide({
      shape,
      live,
      applied: named(content),
      manager,
      force,
      apiVersion,
      kind,
      subresource,
      now,
    });
    expect(changed).toBe(JSON.stringify(object) !== JSON.stringify(live));
    live = object;
    return object;
  };
  const update = (manager: string, change: (object: KubeObject) => KubeObject): KubeObject => {
    live = trackUpdate({ shape, before: live, after: change(live ?? named({})), manager, apiVersion, now });
    return live;
  };
  const passSecond = (): void => {
    now = later(now, seconds(1));
  };
  return { apply, update, passSecond };
}

const managers = (object: KubeObject): JsonObject =>
  Object.fromEntries(
    listAt(object, 'metadata', 'managedFields').map((entry) => {
      const { manager, operation, fieldsV1 } = entry as {
        manager: string;
        operation: string;
        fieldsV1: Json;
      };
      return [`${manager} ${operation}`, fieldsV1];
    }),
  );

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('server-side apply', () => {
  test('creates, and applying the same again changes nothing', () => {
    const { apply, passSecond } = story(kinds.configMap);
    const created = apply('one', { data: { x: '1', y: '2' } });
    expect(created).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { x: '1', y: '2' },
      metadata: {
        name: 'o',
        managedFields: [
          {
            manager: 'one',
            operation: 'Apply',
            apiVersion: 'v1',
            time: startText,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:x': {}, 'f:y': {} } },
          },
        ],
      },
    });
    passSecond();
    expect(apply('one', { data: { x: '1', y: '2' } })).toEqual(created);
  });

  test('removes what an applier drops, and the applier who owns nothing more', () => {
    const { apply } = story(kinds.configMap);
    apply('one', { data: { x: '1', y: '2' } });
    expect(apply('one', { data: { x: '1' } })['data']).toEqual({ x: '1' });
    const empty = apply('one', {});
    expect(empty).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o' } });
  });

  test('shares fields that several apply alike; a shared field is removed with its last owner', () => {
    const { apply } = story(kinds.configMap);
    apply('one', { data: { x: '1', y: '1' } });
    const shared = apply('two', { data: { x: '1' } });
    expect(listAt(shared, 'metadata', 'managedFields')).toMatchObject([
      { manager: 'two' },
      { manager: 'one', time: startText },
    ]);
    expect(listAt(shared, 'metadata', 'managedFields')[0]).not.toHaveProperty('time');
    expect(apply('one', { data: { y: '1' } })['data']).toEqual({ x: '1', y: '1' });
    expect(apply('two', { data: { x: '2' } })['data']).toEqual({ x: '2', y: '1' });
    expect(apply('two', {})['data']).toEqual({ y: '1' });
  });

  test('refuses to change what others own, naming all of it', () => {
    const { apply } = story(kinds.configMap);
    apply('one', { data: { x: '1', y: '2' } });
    expect(statusOf(refusal(() => apply('two', { data: { x: '9' } })))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
      reason: 'Conflict',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' }],
      },
      code: 409,
    });
    expect(refusal(() => apply('two', { data: { x: '9', y: '8', z: '0' } })).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .data.x\n- .data.y',
    );
  });

  test('with force takes it over', () => {
    const { apply } = story(kinds.configMap);
    apply('one', { data: { x: '1', y: '2' } });
    const forced = apply('two', { data: { x: '9' } }, { force: true });
    expect(forced['data']).toEqual({ x: '9', y: '2' });
    expect(managers(forced)).toEqual({
      'one Apply': { 'f:data': { 'f:y': {} } },
      'two Apply': { 'f:data': { 'f:x': {} } },
    });
  });

  test('names update managers with their version and subresource', () => {
    const { apply, update } = story(kinds.deployment);
    update('creator', (object) => ({ ...object, spec: { replicas: 2 } }));
    expect(refusal(() => apply('app', { spec: { replicas: 3 } })).message).toBe(
      'Apply failed with 1 conflict: conflict with "creator" using apps/v1: .spec.replicas',
    );
    apply('st', { status: { replicas: 1 } }, { subresource: 'status' });
    expect(refusal(() => apply('st', { status: { replicas: 2 } })).message).toBe(
      'Apply failed with 1 conflict: conflict with "st" with subresource "status": .status.replicas',
    );
  });

  test('merges sets, keyed lists and maps; takes atomic ones as wholes', () => {
    const { apply } = story(kinds.widget);
    apply('one', {
      spec: { set: ['a'], atom: ['a'], map: [{ k: 'a', v: '1' }], gm: { x: '1' }, am: { x: '1' } },
    });
    const merged = apply('two', { spec: { set: ['b'], map: [{ k: 'b', v: '2' }], gm: { y: '2' } } });
    expect(merged['spec']).toEqual({
      set: ['a', 'b'],
      atom: ['a'],
      map: [
        { k: 'a', v: '1' },
        { k: 'b', v: '2' },
      ],
      gm: { x: '1', y: '2' },
      am: { x: '1' },
    });
    const conflict = (spec: JsonObject): string => refusal(() => apply('three', { spec })).message;
    expect(conflict({ atom: ['a', 'b'] })).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.atom',
    );
    expect(conflict({ am: { y: '2' } })).toBe('Apply failed with 1 conflict: conflict with "one": .spec.am');
    expect(conflict({ map: [{ k: 'a', v: '9' }] })).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.map[k="a"].v',
    );
    const dropped = apply('one', { spec: { set: ['a'] } });
    expect(dropped['spec']).toEqual({ set: ['a', 'b'], map: [{ k: 'b', v: '2' }], gm: { y: '2' } });
    expect(managers(dropped)).toEqual({
      'one Apply': { 'f:spec': { 'f:set': { 'v:"a"': {} } } },
      'two Apply': {
        'f:spec': {
          'f:gm': { 'f:y': {} },
          'f:map': { 'k:{"k":"b"}': { '.': {}, 'f:k': {}, 'f:v': {} } },
          'f:set': { 'v:"b"': {} },
        },
      },
    });
  });

  test.for<{ name: string; live: string; applied: string; merged: string }>([
    { name: 'new items go to the end', live: 'ab', applied: 'c', merged: 'abc' },
    { name: 'shared items take the order of the applied list', live: 'abc', applied: 'cb', merged: 'acb' },
    { name: 'new items stand before the shared one they precede', live: 'ab', applied: 'xb', merged: 'axb' },
    { name: 'live items come before new ones at the same place', live: 'ab', applied: 'ax', merged: 'abx' },
    { name: 'shared items out of order wait for their turn', live: 'bxc', applied: 'cb', merged: 'xcb' },
  ])('in lists, $name', ({ live, applied, merged }) => {
    const { apply } = story(kinds.widget);
    apply('one', { spec: { set: live.split('') } });
    expect(apply('two', { spec: { set: applied.split('') } })['spec']).toEqual({ set: merged.split('') });
  });

  test('works without a schema: maps by key, lists as wholes', () => {
    const { apply, update } = story(kinds.blob);
    apply('one', { spec: { a: { b: 1 }, l: [1, 2] } });
    const second = apply('two', { spec: { a: { c: 2 } }, extra: 'x' });
    expect(second['spec']).toEqual({ a: { b: 1, c: 2 }, l: [1, 2] });
    expect(refusal(() => apply('two', { spec: { l: [3] } })).message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.l',
    );
    update('up', (object) => ({ ...object, spec: { a: { b: 5, c: 2 }, l: [1, 2] } }));
    expect(refusal(() => apply('one', { spec: { a: { b: 1 }, l: [1, 2] } })).message).toBe(
      'Apply failed with 1 conflict: conflict with "up" using x.io/v1: .spec.a.b',
    );
    const last = apply('one', { spec: { l: [1, 2] } });
    expect(last['spec']).toEqual({ a: { b: 5, c: 2 }, l: [1, 2] });
    expect(managers(last)).toEqual({
      'one Apply': { 'f:spec': { '.': {}, 'f:l': {} } },
      'two Apply': { 'f:extra': {}, 'f:spec': { '.': {}, 'f:a': { '.': {}, 'f:c': {} } } },
      'up Update': { 'f:spec': { 'f:a': { 'f:b': {} } } },
    });
  });

  test('follows items through nested keyed lists', () => {
    const { apply } = story(kinds.deployment);
    const pod = (...containers: readonly JsonObject[]): JsonObject => ({
      spec: { template: { spec: { containers } } },
    });
    apply('one', pod({ name: 'c', image: 'img:1' }));
    const side = {
      name: 'side',
      image: 'side:1',
      ports: [{ containerPort: 90 }, { containerPort: 90, protocol: 'UDP' }],
      env: [{ name: 'A', value: 'a' }],
    };
    expect(managers(apply('two', pod(side)))['two Apply']).toEqual({
      'f:spec': {
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"side"}': {
                '.': {},
                'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
                'f:image': {},
                'f:name': {},
                'f:ports': {
                  'k:{"containerPort":90,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
                  'k:{"containerPort":90,"protocol":"UDP"}': {
                    '.': {},
                    'f:containerPort': {},
                    'f:protocol': {},
                  },
                },
              },
            },
          },
        },
      },
    });
    expect(apply('two', pod({ name: 'side', image: 'side:1' }))['spec']).toEqual(
      pod({ name: 'c', image: 'img:1' }, { name: 'side', image: 'side:1' })['spec'],
    );
    expect(apply('two', {})['spec']).toEqual(pod({ name: 'c', image: 'img:1' })['spec']);
  });

  test('keeps what others put into an item that stays, and removes items whole', () => {
    const { apply, update } = story(kinds.widget);
    apply('one', { spec: { map: [{ k: 'a' }, { k: 'b' }] } });
    update('up', (object) => ({
      ...object,
      spec: {
        map: [
          { k: 'a', v: 'up' },
          { k: 'b', v: 'up' },
        ],
      },
    }));
    expect(apply('one', { spec: { map: [{ k: 'b' }] } })['spec']).toEqual({ map: [{ k: 'b', v: 'up' }] });
  });

  test('leaves nothing behind of a list that someone else made and that is now empty', () => {
    const { apply, update } = story(kinds.widget);
    update('up', (object) => ({ ...object, spec: { map: [{ k: 'u' }], set: ['s'] } }));
    apply('one', { spec: { map: [{ k: 'a' }] } });
    update('up', (object) => ({ ...object, spec: { map: [{ k: 'a' }], set: ['s'] } }));
    const emptied = apply('one', {});
    expect(emptied['spec']).toEqual({ set: ['s'] });
    expect(managers(emptied)).toEqual({
      'up Update': { 'f:spec': { '.': {}, 'f:map': {}, 'f:set': { '.': {}, 'v:"s"': {} } } },
    });
  });

  test('respects the claim to a field that is not there', () => {
    const { apply, update } = story(kinds.configMap);
    update('m', (object) => ({ ...object, data: { a: '1' } }));
    const claim = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:b': {} } },
    };
    update('m', (object) => ({ ...object, metadata: { name: 'o', managedFields: [claim] } }));
    expect(refusal(() => apply('one', { data: { b: '1' } })).message).toBe(
      'Apply failed with 1 conflict: conflict with "x": .data.b',
    );
  });

  test('an object without owners belongs to before-first-apply', () => {
    const { apply, update } = story(kinds.configMap);
    update('m', (object) => ({ ...object, data: { b: '2' }, metadata: { name: 'o', labels: { l: 'v' } } }));
    update('m', (object) => ({
      ...object,
      metadata: { name: 'o', labels: { l: 'v' }, managedFields: [{}] },
    }));
    expect(managers(apply('one', { data: { z: '1' } }))).toEqual({
      'before-first-apply Update': {
        'f:data': { '.': {}, 'f:b': {} },
        'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
      },
      'one Apply': { 'f:data': { 'f:z': {} } },
    });
    expect(refusal(() => apply('one', { data: { b: '3' } })).message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.b',
    );
  });

  test('empty maps and nulls are owned, and take nothing away', () => {
    const { apply } = story(kinds.configMap);
    apply('one', { data: { x: '1' } });
    const again = apply('two', { data: {} });
    expect(again['data']).toEqual({ x: '1' });
    expect(managers(again)['two Apply']).toEqual({ 'f:data': {} });
  });

  test('keeps to the fields its endpoint writes', () => {
    const request = {
      shape: deploymentShape,
      live: undefined,
      manager: 'st',
      force: false,
      apiVersion: 'apps/v1',
      now: start,
    };
    const applied = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 7 },
      status: { replicas: 1 },
    };
    const { object } = applyServerSide({
      ...request,
      applied,
      subresource: 'status',
      ignore: { 'f:spec': {} },
    });
    expect(listAt(object, 'metadata', 'managedFields')).toMatchObject([
      { fieldsV1: { 'f:status': { 'f:replicas': {} } }, subresource: 'status' },
    ]);
  });

  test.for<{ name: string; kind: Kind; applied: KubeObject; code: number; message: string }>([
    {
      name: 'managedFields',
      kind: kinds.configMap,
      applied: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', managedFields: [] } },
      code: 400,
      message: 'metadata.managedFields must be nil',
    },
    {
      name: 'another kind',
      kind: kinds.configMap,
      applied: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
      code: 400,
      message: 'invalid object type: /v1, Kind=Secret',
    },
    {
      name: 'no kind at all',
      kind: kinds.configMap,
      applied: { metadata: { name: 'a' } },
      code: 400,
      message: 'invalid object type: /, Kind=',
    },
    {
      name: 'another version',
      kind: kinds.deployment,
      applied: { apiVersion: 'apps/v2', kind: 'Deployment', metadata: {} },
      code: 400,
      message: 'invalid object type: apps/v2, Kind=Deployment',
    },
    {
      name: 'an unknown field',
      kind: kinds.configMap,
      applied: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, bogus: 1 },
      code: 500,
      message:
        'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .bogus: field not declared in schema',
    },
    {
      name: 'items of one key',
      kind: kinds.widget,
      applied: {
        apiVersion: 'x.io/v1',
        kind: 'Widget',
        metadata: { name: 'a', namespace: 'n' },
        spec: { map: [{ k: 'x' }, { k: 'x' }] },
      },
      code: 500,
      message:
        'failed to create typed patch object (n/a; x.io/v1, Kind=Widget): .spec.map: duplicate entries for key [k="x"]',
    },
    {
      name: 'items without a key',
      kind: kinds.widget,
      applied: {
        apiVersion: 'x.io/v1',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { map: [{ v: 'x' }] },
      },
      code: 500,
      message:
        'failed to create typed patch object (/a; x.io/v1, Kind=Widget): .spec.map: element 0: associative list with keys has an element that omits key field "k" (and doesn\'t have default value)',
    },
    {
      name: 'several wrong types',
      kind: kinds.widget,
      applied: {
        apiVersion: 'x.io/v1',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { set: 'x', gm: ['y'] },
      },
      code: 500,
      message:
        'failed to create typed patch object (/a; x.io/v1, Kind=Widget): errors:\n  .spec.set: expected list, got &{x}\n  .spec.gm: expected map, got &{[y]}',
    },
  ])('refuses $name', ({ kind: { shape, apiVersion, kind }, applied, code, message }) => {
    const error = refusal(() =>
      applyServerSide({
        shape,
        live: undefined,
        applied,
        manager: 'one',
        force: false,
        apiVersion,
        kind,
        now: start,
      }),
    );
    expect([error.code, error.message]).toEqual([code, message]);
  });

  test('names the expected scalar if the schema has it', () => {
    const shape = struct({
      apiVersion: text,
      kind: text,
      s: { type: 'scalar', of: 'string' },
      n: { type: 'scalar', of: 'number' },
      b: { type: 'scalar', of: 'boolean' },
    });
    const applied = { apiVersion: 'v1', kind: 'K', s: 1, n: 'x', b: 'x' };
    const error = refusal(() =>
      applyServerSide({
        shape,
        live: undefined,
        applied,
        manager: 'm',
        force: false,
        apiVersion: 'v1',
        now: start,
      }),
    );
    expect(error.message).toBe(
      'failed to create typed patch object (/; /v1, Kind=K): errors:\n' +
        '  .s: expected string, got &value.valueUnstructured{Value:1}\n' +
        '  .n: expected numeric (int or float), got string\n' +
        '  .b: expected boolean, got &{x}',
    );
  });
});

describe('kubectl moving from client-side to server-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const lastApplied = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"o"},"data":{"x":"1"}}\n';
  const begin = (data: JsonObject) => {
    const steps = story(kinds.configMap);
    steps.update('kubectl-client-side-apply', (object) => ({
      ...object,
      data,
      metadata: { name: 'o', annotations: { [annotation]: lastApplied } },
    }));
    return steps;
  };

  test('takes over what it last applied itself, and keeps the annotation in step', () => {
    const result = begin({ x: '1' }).apply('kubectl', { data: { x: '2' } });
    expect(result['data']).toEqual({ x: '2' });
    expect(listAt(result, 'metadata', 'managedFields')).toMatchObject([
      { manager: 'kubectl' },
      { manager: 'kubectl-client-side-apply' },
    ]);
    expect(result).toMatchObject({
      metadata: {
        annotations: {
          [annotation]: '{"apiVersion":"v1","data":{"x":"2"},"kind":"ConfigMap","metadata":{"name":"o"}}\n',
        },
      },
    });
  });

  test('does not take over what changed in between, nor under another name', () => {
    expect(refusal(() => begin({ x: 'changed' }).apply('kubectl', { data: { x: '2' } })).code).toBe(409);
    expect(refusal(() => begin({ x: '1' }).apply('other', { data: { x: '2' } })).code).toBe(409);
  });
});

describe('scaling', () => {
  const base = { shape: deploymentShape, apiVersion: 'apps/v1', now: start };
  const applied = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas: 1 },
  };
  const { object: live } = applyServerSide({
    ...base,
    live: undefined,
    applied,
    manager: 'one',
    force: false,
  });

  test('by apply takes the replicas under an entry without a time', () => {
    const scaled = { ...applied, spec: { replicas: 4 } };
    expect(
      refusal(() => applyScale({ ...base, live, applied: scaled, manager: 'hpa', force: false })).message,
    ).toBe('Apply failed with 1 conflict: conflict with "one": .spec.replicas');
    const { object } = applyScale({ ...base, live, applied: scaled, manager: 'hpa', force: true });
    expect(listAt(object, 'metadata', 'managedFields')).toEqual([
      {
        manager: 'hpa',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ]);
  });

  test('by update likewise', () => {
    const object = trackScale({
      ...base,
      before: live,
      after: { ...live, spec: { replicas: 3 } },
      manager: 'm',
    });
    expect(listAt(object, 'metadata', 'managedFields')).toEqual([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ]);
  });
});

test('when a schema makes something atomic, owners of its parts own the whole', () => {
  const granular = struct({
    apiVersion: text,
    kind: text,
    metadata: metaShape,
    spec: struct({ m: mapOf(text) }),
  });
  const whole = struct({
    apiVersion: text,
    kind: text,
    metadata: metaShape,
    spec: struct({ m: mapOf(text, true) }),
  });
  const object = (m: JsonObject): KubeObject => ({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'o' },
    spec: { m },
  });
  const base = { manager: 'one', force: false, apiVersion: 'v1', now: start };
  const { object: live } = applyServerSide({
    ...base,
    shape: granular,
    live: undefined,
    applied: object({ a: '1' }),
  });
  const conflict = refusal(() =>
    applyServerSide({ ...base, shape: whole, live, applied: object({ b: '1' }), manager: 'two' }),
  );
  expect(conflict.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.m');
  const taken = trackUpdate({
    shape: whole,
    before: live,
    after: object({ b: '1' }),
    manager: 'up',
    apiVersion: 'v1',
    now: start,
  });
  expect(managers(taken)).toEqual({ 'up Update': { 'f:spec': { 'f:m': {} } } });
});

test('a creation time of null in a manifest unsets nothing', () => {
  const base = { shape: configMapShape, manager: 'one', force: false, apiVersion: 'v1', now: start };
  const applied = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'o', creationTimestamp: null },
    data: { a: '1' },
  };
  const { object } = applyServerSide({ ...base, live: undefined, applied });
  const live = { ...object, metadata: { ...(object['metadata'] as JsonObject), creationTimestamp: 't' } };
  expect(applyServerSide({ ...base, live, applied })).toEqual({ object: live, changed: false });
});
