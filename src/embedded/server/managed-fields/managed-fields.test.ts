import { describe, expect, test } from 'vitest';
import { listAt, type Json, type JsonObject } from '#base/json.ts';
import { instant, type Instant, later, seconds } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { untypedShape } from '#kube/shape.ts';
import { keepTimes, trackUpdate } from './managed-fields.ts';
import { configMapShape, deploymentShape } from '#schema/testing/shapes.ts';

const start = instant(1_600_000_000_000);
const startText = '2020-09-13T12:26:40Z';

function configMap(data: JsonObject, meta: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'n', uid: 'u', ...meta },
    data,
  };
}

type Step = { after: KubeObject; manager: string; now?: Instant; subresource?: string };

function write(
  before: KubeObject | undefined,
  { after, manager, now = start, subresource }: Step,
): KubeObject {
  return trackUpdate({ shape: configMapShape, before, after, manager, apiVersion: 'v1', subresource, now });
}

/** The owners without what does not matter to a test: `manager: fields`. */
function owners(object: KubeObject): JsonObject {
  return Object.fromEntries(
    listAt(object, 'metadata', 'managedFields').map((entry) => {
      const { manager, fieldsV1 } = entry as { manager: string; fieldsV1: Json };
      return [manager, fieldsV1];
    }),
  );
}

describe('tracking updates', () => {
  const created = write(undefined, { after: configMap({ a: '1', b: '1' }), manager: 'm1' });

  test('a create is owned by its creator, except for what the server decides', () => {
    const labelled = configMap(
      { x: '1' },
      { labels: { l: '1' }, creationTimestamp: 't', resourceVersion: '1', generation: 1 },
    );
    expect(write(undefined, { after: labelled, manager: 'replay' })['metadata']).toEqual({
      ...(labelled['metadata'] as JsonObject),
      managedFields: [
        {
          manager: 'replay',
          operation: 'Update',
          apiVersion: 'v1',
          time: startText,
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:data': { '.': {}, 'f:x': {} },
            'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
          },
        },
      ],
    });
  });

  test('an object without anything of its own has no owners, and stays untracked', () => {
    const { data: _data, ...bare } = configMap({});
    const made = write(undefined, { after: bare, manager: 'm' });
    expect(made['metadata']).not.toHaveProperty('managedFields');
    expect(owners(write(made, { after: configMap({ a: '1' }), manager: 'm' }))).toEqual({});
  });

  test('who changes a field takes it from the others', () => {
    const second = write(created, { after: configMap({ a: '1', b: '2' }), manager: 'm2' });
    expect(owners(second)).toEqual({
      m1: { 'f:data': { '.': {}, 'f:a': {} } },
      m2: { 'f:data': { 'f:b': {} } },
    });
    const third = write(second, { after: configMap({ b: '2' }), manager: 'm3' });
    expect(owners(third)).toEqual({ m1: { 'f:data': {} }, m2: { 'f:data': { 'f:b': {} } } });
    const { data: _data, ...bare } = configMap({});
    expect(owners(write(third, { after: bare, manager: 'm3' }))).toEqual({});
  });

  test('an update that changes nothing leaves everything, times too', () => {
    const same = write(created, { after: { ...created }, manager: 'm9', now: later(start, seconds(60)) });
    expect(same).toEqual(created);
    const withoutOwners = write(created, {
      after: configMap({ a: '1', b: '1' }),
      manager: 'm9',
      now: later(start, seconds(60)),
    });
    expect(withoutOwners).toEqual(created);
  });

  test('times move with the changes of their manager only', () => {
    const now = later(start, seconds(1));
    const changed = write(created, { after: configMap({ a: '9', b: '1' }), manager: 'm1', now });
    expect(listAt(changed, 'metadata', 'managedFields')).toMatchObject([
      { manager: 'm1', time: '2020-09-13T12:26:41Z' },
    ]);
    const removed = write(created, { after: configMap({ a: '1' }), manager: 'm1', now });
    expect(listAt(removed, 'metadata', 'managedFields')).toMatchObject([{ manager: 'm1', time: startText }]);
  });

  test('a subresource has entries of its own, and cannot send managedFields', () => {
    const after = configMap({ a: '2', b: '1' }, { managedFields: [{}] });
    const written = write(created, { after, manager: 'm1', subresource: 'status' });
    expect(listAt(written, 'metadata', 'managedFields')).toMatchObject([
      { manager: 'm1', fieldsV1: { 'f:data': { '.': {}, 'f:b': {} } } },
      { manager: 'm1', fieldsV1: { 'f:data': { 'f:a': {} } }, subresource: 'status' },
    ]);
  });

  const sent = {
    manager: 'kubectl',
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2020-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
  };
  test.for<{ name: string; managedFields: Json | undefined; result: JsonObject }>([
    { name: 'none: the stored ones stay', managedFields: undefined, result: owners(created) },
    { name: 'an empty list: the stored ones stay', managedFields: [], result: owners(created) },
    { name: 'one empty entry: cleared', managedFields: [{}], result: {} },
    {
      name: 'valid ones: taken as they are',
      managedFields: [{ ...sent, fieldsV1: { 'f:data': { 'f:a': {} } } }],
      result: { kubectl: { 'f:data': { 'f:a': {} } } },
    },
    {
      name: 'an unknown operation: the stored ones stay',
      managedFields: [{ ...sent, operation: 'Bogus', fieldsV1: {} }],
      result: owners(created),
    },
    {
      name: 'no version: the stored ones stay',
      managedFields: [{ ...sent, apiVersion: '', fieldsV1: {} }],
      result: owners(created),
    },
    {
      name: 'no type: the stored ones stay',
      managedFields: [{ ...sent, fieldsType: '', fieldsV1: {} }],
      result: owners(created),
    },
    {
      name: 'broken fields: the stored ones stay',
      managedFields: [{ ...sent, fieldsV1: { data: {} } }],
      result: owners(created),
    },
    { name: 'an entry without fields: dropped', managedFields: [{ ...sent, fieldsV1: {} }], result: {} },
  ])('a client sends $name', ({ managedFields, result }) => {
    const after = configMap({ a: '1', b: '1' }, managedFields === undefined ? {} : { managedFields });
    expect(owners(write(created, { after, manager: 'm2' }))).toEqual(result);
  });

  test('cleared owners stay cleared even when the same update changes something', () => {
    const after = configMap({ a: '2', b: '1' }, { managedFields: [{}] });
    expect(write(created, { after, manager: 'm5' })['metadata']).not.toHaveProperty('managedFields');
  });

  test('the eleventh update manager pushes the two oldest together', () => {
    const data: Record<string, string> = {};
    let object: KubeObject | undefined;
    for (let i = 0; i < 12; i += 1) {
      data[`k${i}`] = '1';
      object = write(object, {
        after: configMap({ ...data }),
        manager: `m${i}`,
        now: later(start, seconds(i)),
      });
    }
    const entries = listAt(object, 'metadata', 'managedFields') as readonly {
      manager: string;
      time: string;
    }[];
    expect(entries).toHaveLength(10);
    expect(entries[0]).toEqual({
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2020-09-13T12:26:42Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {} } },
    });
    expect(entries.slice(1).map(({ manager }) => manager)).toEqual([
      'm3',
      'm4',
      'm5',
      'm6',
      'm7',
      'm8',
      'm9',
      'm10',
      'm11',
    ]);
  });

  test('what a type always prints is not owned by the creator', () => {
    const zero = {
      spec: {
        selector: null,
        strategy: {},
        template: { metadata: { creationTimestamp: null }, spec: { containers: null } },
      },
      status: {},
    };
    const after = {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
        template: {
          metadata: { creationTimestamp: null, labels: { app: 'd' } },
          spec: { containers: [{ name: 'c', resources: {} }] },
        },
      },
      status: {},
    };
    const made = trackUpdate({
      shape: deploymentShape,
      before: undefined,
      after,
      manager: 'm',
      apiVersion: 'apps/v1',
      now: start,
      zero,
    });
    expect(owners(made)).toEqual({
      m: {
        'f:spec': {
          'f:selector': {},
          'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} }, 'f:type': {} },
          'f:template': {
            'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
            'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:resources': {} } } },
          },
        },
      },
    });
  });

  test('fields that the endpoint does not write are passed over', () => {
    const after = { metadata: { name: 'w' }, spec: { l: [1] }, status: { n: 1 } };
    const made = trackUpdate({
      shape: untypedShape,
      before: undefined,
      after,
      manager: 'm',
      apiVersion: 'x/v1',
      now: start,
      ignore: { 'f:status': {} },
    });
    expect(owners(made)).toEqual({ m: { 'f:spec': { '.': {}, 'f:l': {} } } });
  });

  test('nothing that is handed in is changed', () => {
    const after = Object.freeze(configMap(Object.freeze({ a: '2' }), Object.freeze({ labels: {} })));
    const snapshot = JSON.stringify([created, after]);
    write(created, { after, manager: 'm2' });
    expect(JSON.stringify([created, after])).toBe(snapshot);
  });
});

describe('keeping times', () => {
  const created = write(undefined, { after: configMap({ a: '1' }), manager: 'm1' });
  const again = write(undefined, {
    after: configMap({ a: '1' }),
    manager: 'm1',
    now: later(start, seconds(5)),
  });

  test('an outcome that differs in times alone gets the stored ones', () => {
    expect(again).not.toEqual(created);
    expect(keepTimes(created, again)).toEqual(created);
  });

  test('any other difference keeps the new times', () => {
    const changed = { ...again, data: { a: '2' } };
    expect(keepTimes(created, changed)).toBe(changed);
    const other = write(undefined, { after: configMap({ a: '1' }), manager: 'm2' });
    expect(keepTimes(created, other)).toBe(other);
  });
});
