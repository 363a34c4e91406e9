import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { dueForCluster, dueForMachine } from './due.ts';
import { clusterSnapshot, listReader, machineSnapshot } from './platform-reader.ts';

const cluster = (name: string, ...ips: readonly string[]): KubeObject => ({
  metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { type: 'Baremetal', machines: ips.map((ip) => ({ ip })) },
});
const machine = (name: string, clusterName: string, ip: string): KubeObject => ({
  metadata: { name, creationTimestamp: '2026-01-02T00:00:00Z' },
  spec: { clusterName, type: 'Baremetal', ip },
});

const reader = listReader({
  clusters: [cluster('b', '192.0.2.2'), cluster('a', '192.0.2.1')],
  machines: [machine('w2', 'a', '192.0.2.9'), machine('w1', 'a', '192.0.2.2')],
  runs: [
    { metadata: { namespace: 'n', name: 'r' } },
    { metadata: { namespace: 'n', name: 'going', deletionTimestamp: '2026-01-01T00:00:00Z' } },
  ],
  templates: [{ metadata: { namespace: 'n', name: 't' }, spec: { metrics: [] } }],
});

test('the same decisions can be made from plain lists', () => {
  const first = clusterSnapshot(reader, 'a');
  expect(first && dueForCluster(first.cluster, first.neighbours)).toMatchObject({
    type: 'operate',
    wanted: { kind: 'cluster.create' },
  });
  const worker = machineSnapshot(reader, 'w1');
  expect(worker && dueForMachine(worker.machine, worker.cluster, worker.neighbours)).toMatchObject({
    type: 'wait',
    reason: 'AddressTaken',
  });
});

test('neighbours are the objects on the same hosts', () => {
  const { clusters = [], machines = [] } = machineSnapshot(reader, 'w1')?.neighbours ?? {};
  expect(clusters.map(({ metadata }) => metadata['name'])).toEqual(['b']);
  expect(machines.map(({ metadata }) => metadata['name'])).toEqual(['w1']);
});

test('machines come in the order of their names; what is not there is undefined', () => {
  expect(reader.machinesOf('a').map((each) => (each['metadata'] as KubeObject)['name'])).toEqual([
    'w1',
    'w2',
  ]);
  expect(clusterSnapshot(reader, 'c')).toBeUndefined();
  expect(machineSnapshot(reader, 'w3')).toBeUndefined();
});

test('a HookRun that is being deleted counts as gone', () => {
  expect(reader.run('n', 'r')).toBeDefined();
  expect(reader.run('n', 'going')).toBeUndefined();
  expect(reader.run('other', 'r')).toBeUndefined();
  expect(reader.template('n', 't')?.spec.metrics).toEqual([]);
});
