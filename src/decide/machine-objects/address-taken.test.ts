import { expect, test } from 'vitest';
import { listAt, type JsonObject } from '#base/json.ts';
import { mastersHost, withoutWaiting, workersHost } from './address-taken.ts';
import { dueForCluster, dueForMachine } from './due.ts';
import { asCluster, asMachine } from './objects.ts';

const object = (has: readonly string[], wanted: readonly JsonObject[]): JsonObject => ({
  kind: 'Cluster',
  metadata: { name: 'c' },
  spec: { type: 'Baremetal', version: '2', machines: wanted },
  status: { version: '2', machines: has.map((ip) => ({ ip, status: 'Running' })) },
});
const cluster = asCluster(object(['1'], [{ ip: '1' }]));

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
  ['nobody with another port', { second: 2 }, worker('b', { port: 2222 }), [], undefined],
  ['the port is 22 unless given', { second: 2, port: 22 }, worker('b'), [], 'b'],
  ['nobody with another address', { second: 2 }, worker('b', { ip: '8' }), [], undefined],
])('who waits: %s', ([, given, other, underWay, expected]) => {
  const one = asMachine(worker('a', given));
  const machines = [one, asMachine(other)];
  const near = { machines, isUnderWay: (name: string) => underWay.includes(name) };
  const message = workersHost(one, cluster, near);
  expect(message?.match(/is the Machine (.+) already/)?.[1]).toBe(expected);
  const due = dueForMachine(one, cluster, near);
  expect(due).toMatchObject(
    expected === undefined ? { type: 'operate' } : { type: 'wait', reason: 'AddressTaken', message },
  );
});

test('what has begun goes on, and what has joined stays', () => {
  const near = { machines: [asMachine(worker('b'))], isUnderWay: () => false };
  const at = (status: JsonObject) =>
    dueForMachine(asMachine(worker('a', { second: 5, status })), cluster, near);
  expect(at(begun)).toMatchObject({ type: 'operate', wanted: { kind: 'node.join' } });
  expect(at({ joined: true, version: '2' })).toEqual({ type: 'nothing' });
});

test('a worker waits for a master, one that leaves too; a master for a worker that has begun', () => {
  const nobody = { machines: [], isUnderWay: () => false };
  const onMaster = asMachine(worker('a', { ip: '1' }));
  expect(workersHost(onMaster, cluster, nobody)).toContain('1 port 22 is a master of the Cluster c already');
  const leaving = asCluster(object(['1', '9'], [{ ip: '1' }]));
  expect(workersHost(asMachine(worker('a')), leaving, nobody)).toContain('a master of the Cluster c');
  const growing = asCluster(object(['1'], [{ ip: '1' }, { ip: '9' }]));
  const near = (status: JsonObject) => ({ ...nobody, machines: [asMachine(worker('a', { status }))] });
  expect(mastersHost(growing, ['9'], near({ joined: true }))).toContain('9 port 22 is the Machine a already');
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
