import { expect, test } from 'vitest';
import { listAt, type JsonObject } from '#base/json.ts';
import { mastersHost, withoutWaiting, workersHost } from './address-taken.ts';
import { dueForCluster, dueForMachine, mastersHeld } from './due.ts';
import { canonicalAddress } from './host-address.ts';
import { nobody, type Neighbours } from './host-claims.ts';
import { clusterOf, machineOf } from '#machines/read.ts';

const object = (has: readonly string[], wanted: readonly JsonObject[]): JsonObject => ({
  kind: 'Cluster',
  metadata: { name: 'c' },
  spec: { type: 'Baremetal', version: '2', machines: wanted },
  status: { version: '2', machines: has.map((ip) => ({ ip, status: 'Running' })) },
});
const cluster = clusterOf(object(['1'], [{ ip: '1' }]));

type Given = {
  readonly second?: number;
  readonly port?: number;
  readonly ip?: string;
  readonly status?: JsonObject;
};
const worker = (name: string, { second = 0, ip = '9', port, status = {} }: Given = {}) => ({
  kind: 'Machine',
  metadata: { name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
  spec: { clusterName: 'c', type: 'Baremetal', ip, ...(port !== undefined && { port }) },
  status,
});
const begun = { operation: { id: 'x', type: 'node.join' } };

test.for<[string, Given, JsonObject, readonly string[], string | undefined]>([
  ['the older one', {}, worker('b', { second: 1 }), [], undefined],
  ['the younger one', { second: 2 }, worker('b', { second: 1 }), [], 'b'],
  ['of one second the later name', { second: 1 }, worker('B', { second: 1 }), [], 'B'],
  ['of one second not the first name', { second: 1 }, worker('b', { second: 1 }), [], undefined],
  ['the older one, when the younger has begun', {}, worker('b', { second: 1, status: begun }), [], 'b'],
  ['or is just beginning', {}, worker('b', { second: 1 }), ['b'], 'b'],
  ['or has joined', {}, worker('b', { second: 1, status: { joined: true } }), [], 'b'],
  ['none with another port', { second: 2 }, worker('b', { port: 2222 }), [], undefined],
  ['the port is 22 unless given', { second: 2, port: 22 }, worker('b'), [], 'b'],
  ['none with another address', { second: 2 }, worker('b', { ip: '8' }), [], undefined],
])('who waits: %s', ([, given, other, underWay, expected]) => {
  const one = machineOf(worker('a', given));
  const machines = [one, machineOf(other)];
  const near = {
    ...nobody,
    machines,
    underWay: (_kind: string, name: string) =>
      underWay.includes(name) ? ({ kind: 'node.join', nodes: [name] } as const) : undefined,
  };
  const message = workersHost(one, cluster, near);
  expect(message?.match(/is the Machine (.+) already/)?.[1]).toBe(expected);
  const due = dueForMachine(one, cluster, near);
  expect(due).toMatchObject(
    expected === undefined ? { type: 'operate' } : { type: 'wait', reason: 'AddressTaken', message },
  );
});

test('what has begun continues, and what has joined stays', () => {
  const near = { ...nobody, machines: [machineOf(worker('b'))] };
  const at = (status: JsonObject) =>
    dueForMachine(machineOf(worker('a', { second: 5, status })), cluster, near);
  expect(at(begun)).toMatchObject({ type: 'operate', wanted: { kind: 'node.join' } });
  expect(at({ joined: true, version: '2' })).toEqual({ type: 'nothing' });
});

test('a worker waits for a master, one that leaves too; a master for a worker that has begun', () => {
  const onMaster = machineOf(worker('a', { ip: '1' }));
  expect(workersHost(onMaster, cluster, nobody)).toContain('1 port 22 is a master of the Cluster c already');
  const leaving = clusterOf(object(['1', '9'], [{ ip: '1' }]));
  expect(workersHost(machineOf(worker('a')), leaving, nobody)).toContain('a master of the Cluster c');
  const growing = clusterOf(object(['1'], [{ ip: '1' }, { ip: '9' }]));
  const near = (status: JsonObject) => ({ ...nobody, machines: [machineOf(worker('a', { status }))] });
  expect(mastersHost(growing, ['9'], near({ joined: true })).get('9')).toContain(
    '9 port 22 is the Machine a already',
  );
  expect(dueForCluster(growing, near(begun))).toMatchObject({ type: 'wait', reason: 'AddressTaken' });
  expect(dueForCluster(growing, near({}))).toMatchObject({ type: 'operate' });
});

test('a worker leaves though a master waits for its host', () => {
  const growing = object(['1'], [{ ip: '1' }, { ip: '9' }, { ip: '7' }]);
  const ips = (workers: readonly JsonObject[]) =>
    listAt(withoutWaiting(growing, workers), 'spec', 'machines').map((each) => (each as { ip: string }).ip);
  expect(ips([worker('a')])).toEqual(['1', '7']);
  expect(ips([worker('a', { ip: '1' })])).toEqual(['1', '9', '7']);
  expect(ips([])).toEqual(['1', '9', '7']);
});

/** Another Cluster, of another second of creation. */
const other = (second: number, machines: readonly JsonObject[], status: JsonObject = {}): JsonObject => ({
  kind: 'Cluster',
  metadata: { name: `c${second}`, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
  spec: { type: 'Baremetal', version: '2', machines },
  status,
});
const beside = (...clusters: readonly JsonObject[]): Neighbours => ({
  ...nobody,
  clusters: clusters.map(clusterOf),
});
const has = (...ips: readonly string[]) => ({ machines: ips.map((ip) => ({ ip, status: 'Running' })) });
const making = { operation: { id: 'x', type: 'cluster.create' } };
const jump = { type: 'SSHJumpServer', ip: '192.0.2.250' };

test.for<[string, JsonObject, JsonObject, boolean]>([
  ['the younger', other(5, [{ ip: '9' }]), other(1, [{ ip: '9' }]), true],
  ['not the older', other(1, [{ ip: '9' }]), other(5, [{ ip: '9' }]), false],
  ['the older, when the younger has begun', other(1, [{ ip: '9' }]), other(5, [{ ip: '9' }], making), true],
  ['or is made', other(1, [{ ip: '9' }]), other(5, [{ ip: '9' }], has('9')), true],
  ['not for a port', other(5, [{ ip: '9', port: 2222 }]), other(1, [{ ip: '9' }]), false],
  ['for one of several', other(5, [{ ip: '7' }, { ip: '9' }]), other(1, [{ ip: '8' }, { ip: '9' }]), true],
  ['for a master that leaves', other(1, [{ ip: '9' }]), other(5, [{ ip: '8' }], has('8', '9')), true],
  ['not when it has begun itself', other(5, [{ ip: '9' }], making), other(1, [{ ip: '9' }], making), false],
  ['not behind another jump host', other(5, [{ ip: '9', proxy: jump }]), other(1, [{ ip: '9' }]), false],
  [
    'behind the same jump host',
    other(5, [{ ip: '9', proxy: jump }]),
    other(1, [{ ip: '9', proxy: { ...jump, port: 22 } }]),
    true,
  ],
  ['for an address written otherwise', other(5, [{ ip: 'FE80::0:1' }]), other(1, [{ ip: 'fe80::1' }]), true],
])('which of two Clusters on one host waits: %s', ([, mine, theirs, expected]) => {
  const due = dueForCluster(clusterOf(mine), beside(mine, theirs));
  expect(due).toMatchObject(
    expected
      ? { type: 'wait', reason: 'AddressTaken' }
      : { type: 'operate', wanted: { kind: 'cluster.create' } },
  );
});

test('a deleted one that has not begun needs no host; one that removes its masters still has them', () => {
  const mine = clusterOf(other(5, [{ ip: '9' }]));
  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const going = (status: JsonObject): JsonObject => {
    const theirs = other(1, [{ ip: '9' }], status);
    return { ...theirs, metadata: { ...(theirs['metadata'] as JsonObject), ...deleted } };
  };
  expect(dueForCluster(mine, beside(going({})))).toMatchObject({ type: 'operate' });
  expect(dueForCluster(mine, beside(going(has('9'))))).toMatchObject({ type: 'wait' });
  expect(
    dueForCluster(mine, beside(going({ operation: { id: 'x', type: 'cluster.delete' } }))),
  ).toMatchObject({ type: 'wait' });
});

test('one that just begins has its hosts before they are in its status', () => {
  const mine = clusterOf(other(1, [{ ip: '9' }]));
  const theirs = other(5, [{ ip: '9' }]);
  const near: Neighbours = {
    ...beside(theirs),
    underWay: (kind, name) =>
      kind === 'Cluster' && name === 'c5' ? { kind: 'cluster.create', nodes: [] } : undefined,
  };
  expect(dueForCluster(mine, near)).toMatchObject({ type: 'wait', reason: 'AddressTaken' });
});

test('a Machine waits for a master of another Cluster, a master for a Machine of another that has begun', () => {
  const theirs = other(5, [{ ip: '9' }]);
  const message = workersHost(machineOf(worker('a')), cluster, beside(theirs));
  expect(message).toContain('9 port 22 is a master of the Cluster c5 already');
  const elsewhere = (status: JsonObject): Neighbours => ({
    ...nobody,
    machines: [machineOf(worker('a', { status }))],
  });
  expect(dueForCluster(clusterOf(theirs), elsewhere({}))).toMatchObject({ type: 'operate' });
  expect(dueForCluster(clusterOf(theirs), elsewhere({ joined: true }))).toMatchObject({
    type: 'wait',
    reason: 'AddressTaken',
    message: expect.stringContaining('9 port 22 is the Machine a of the Cluster c already'),
  });
});

test('masters whose hosts are free join, whatever another waits for', () => {
  const mine = clusterOf(other(5, [{ ip: '1' }, { ip: '8' }, { ip: '9' }], { version: '2', ...has('1') }));
  const near = beside(other(1, [{ ip: '9' }], has('9')));
  expect(dueForCluster(mine, near)).toMatchObject({ wanted: { kind: 'node.join', nodes: ['8'] } });
});

test('a master that comes while its Cluster is made, on the host of another, is left out of the making', () => {
  const steps = [{ name: 'files/copy', done: ['1'] }];
  const operation = { id: 'x', type: 'cluster.create', steps };
  const mine = clusterOf(other(5, [{ ip: '1' }, { ip: '9' }], { operation }));
  const near = beside(other(1, [{ ip: '9' }, { ip: '1' }], has('9', '1')));
  expect(mastersHeld(mine, near), 'not one that was reached').toEqual(['9']);
});

test.for([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['no address', 'no address'],
] as const)('the address %s is %s', ([address, expected]) => {
  expect(canonicalAddress(address)).toBe(expected);
});
