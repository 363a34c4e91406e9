import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { dueForCluster, dueForMachine, isSameOperation, isTouched } from './due.ts';
import { clusterOf, machineOf } from '#machines/read.ts';

const cluster = (status: JsonObject = {}, spec: JsonObject = {}, meta: JsonObject = {}) =>
  clusterOf({
    kind: 'Cluster',
    metadata: { name: 'c', ...meta },
    spec: { type: 'Baremetal', version: '2', machines: [{ ip: '1' }, { ip: '2' }], ...spec },
    status,
  });
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const made = {
  machines: [
    { ip: '1', status: 'Running' },
    { ip: '2', status: 'Running' },
  ],
  version: '2',
};
const steps = [{ name: 'files/copy', done: ['1'] }];

test.for([
  ['a new one is created', cluster(), { kind: 'cluster.create', nodes: [], version: '2' }],
  [
    'a master is added',
    cluster(made, { machines: [{ ip: '1' }, { ip: '2' }, { ip: '3' }] }),
    { kind: 'node.join', nodes: ['3'] },
  ],
  ['a master is removed', cluster(made, { machines: [{ ip: '1' }] }), { kind: 'node.delete', nodes: ['2'] }],
  [
    'a new version upgrades',
    cluster(made, { version: '3' }),
    { kind: 'cluster.upgrade', nodes: [], version: '3' },
  ],
  [
    'an upgrade that was begun is ended, even back',
    cluster({ ...made, operation: { id: 'x', type: 'cluster.upgrade', version: '3' } }),
    { kind: 'cluster.upgrade', nodes: [], version: '2' },
  ],
  ['a made one is deleted with its hooks', cluster(made, {}, deleted), { kind: 'cluster.delete', nodes: [] }],
  [
    'one that was half made as well',
    cluster({ operation: { id: 'x', type: 'cluster.create', steps } }, {}, deleted),
    { kind: 'cluster.delete', nodes: [] },
  ],
  [
    'and its deletion continues when it was begun',
    cluster({ operation: { id: 'x', type: 'cluster.delete' } }, {}, deleted),
    { kind: 'cluster.delete', nodes: [] },
  ],
] as const)('%s', ([, object, wanted]) => {
  expect(dueForCluster(object)).toEqual({ type: 'operate', wanted });
});

test.for([
  ['nothing is due when all is done', cluster(made), { type: 'nothing' }],
  ['one without a machine is released at once', cluster({}, {}, deleted), { type: 'release' }],
  [
    'so does one that could never be planned',
    cluster({ operation: { id: 'x', type: 'cluster.create' } }, {}, deleted),
    { type: 'release' },
  ],
  ['and one that was removed from its machines', cluster({ machines: [] }, {}, deleted), { type: 'release' }],
] as const)('%s', ([, object, due]) => {
  expect(dueForCluster(object)).toEqual(due);
});

const machine = (status: JsonObject = {}, meta: JsonObject = {}) =>
  machineOf({
    kind: 'Machine',
    metadata: { name: 'm', ...meta },
    spec: { clusterName: 'c', type: 'Baremetal', ip: '9' },
    status,
  });
const joined = { joined: true, version: '2' };
const busy = { ...made, operation: { id: 'x', type: 'cluster.upgrade', version: '3' } };

test.for([
  ['waits for its cluster to be there', machine(), undefined, 'wait'],
  ['waits for its cluster to be made', machine(), cluster(), 'wait'],
  ['waits while its cluster is busy', machine(), cluster(busy), 'wait'],
  ['waits while its cluster is paused', machine(), cluster(made, { paused: true }), 'wait'],
  ['joins', machine(), cluster(made), 'node.join'],
  [
    'continues to join while its cluster is busy',
    machine({ operation: { id: 'y', type: 'node.join' } }),
    cluster(busy),
    'node.join',
  ],
  ['is done', machine(joined), cluster(made), 'nothing'],
  ['is upgraded when it is behind', machine({ joined: true, version: '1' }), cluster(made), 'node.upgrade'],
  [
    'is not upgraded in mode Manual',
    machine({ joined: true, version: '1' }),
    cluster(made, { features: { upgrade: { mode: 'Manual' } } }),
    'nothing',
  ],
  ['leaves', machine(joined, deleted), cluster(made), 'node.delete'],
  ['leaves at once when it never joined', machine({}, deleted), cluster(made), 'release'],
  ['leaves at once with its cluster gone', machine(joined, deleted), undefined, 'release'],
  ['lets its cluster remove it', machine(joined, deleted), cluster(made, {}, deleted), 'wait'],
  [
    'is released when its cluster is gone',
    machine(joined, deleted),
    cluster({ machines: [] }, {}, deleted),
    'release',
  ],
] as const)('a worker %s', ([, object, behind, expected]) => {
  const due = dueForMachine(object, behind);
  expect(due.type === 'operate' ? due.wanted.kind : due.type).toBe(expected);
});

test('another version is another upgrade, another master another join; the rest continues', () => {
  const begun = (type: string, more: JsonObject = {}) => ({ id: 'x', type, ...more });
  expect(
    isSameOperation(begun('cluster.upgrade', { version: '3' }), {
      kind: 'cluster.upgrade',
      nodes: [],
      version: '4',
    }),
  ).toBe(false);
  expect(
    isSameOperation(begun('cluster.create', { version: '3' }), {
      kind: 'cluster.create',
      nodes: [],
      version: '4',
    }),
  ).toBe(true);
  expect(isSameOperation(begun('cluster.create'), { kind: 'cluster.delete', nodes: [] })).toBe(false);
  expect(
    isSameOperation({ ...begun('node.join'), nodes: ['1'] }, { kind: 'node.join', nodes: ['1', '2'] }),
  ).toBe(false);
});

test('a worker reports that its cluster upgrades it, as soon as its batch starts', () => {
  const upgrade = (steps: readonly JsonObject[]): JsonObject => ({
    ...made,
    operation: { id: 'x', type: 'cluster.upgrade', version: '3', steps },
  });
  const worker = machine({ joined: true, version: '2' });
  const files = { name: 'files/copy', done: ['m'] };
  expect(dueForMachine(worker, cluster(upgrade([files])))).toEqual({ type: 'nothing' });
  const reached = { name: 'm/node-pre/PreUpgrade', tasks: [{ node: 'm', state: 'Launched', attempt: 1 }] };
  expect(dueForMachine(worker, cluster(upgrade([files, reached])))).toEqual({
    type: 'wait',
    reason: 'Upgrading',
    message: 'The Cluster c upgrades it to 3.',
    phase: 'Upgrading',
  });
});

test('a deletion of its cluster ends what a worker has begun', () => {
  const joining = machine({ operation: { id: 'x', type: 'node.join', steps } });
  expect(dueForMachine(joining, cluster(made, {}, deleted))).toMatchObject({
    reason: 'ClusterTerminating',
    isFinal: true,
  });
  expect(isTouched(joining)).toBe(true);
  expect(isTouched(machine({}))).toBe(false);
});
