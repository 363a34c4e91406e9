import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { Newest } from '#loop/owned/newest.ts';
import type { Informer } from '#loop/informer.ts';
import { deleteFormerRuns, labelledSource, runsOf, workloadIndexes } from './workload-runs.ts';

const object = (name: string): KubeObject => ({ metadata: { name, uid: name, resourceVersion: '1' } });

test('a hook run that was deleted for a retry decides nothing, though the informer still shows it', () => {
  const [workload, first, second] = [object('g'), object('first'), object('second')];
  const runs = { byIndex: () => [first, second] };
  const newest = new Newest();
  expect(runsOf(runs, newest, workload)).toEqual([first, second]);
  newest.noteRemoved(first);
  expect(runsOf(runs, newest, workload)).toEqual([second]);
});

const unowned = (uid: string, workload = 'g', annotations = {}): KubeObject => ({
  metadata: {
    name: `run-of-${uid}`,
    namespace: 'n',
    uid: `run-of-${uid}`,
    annotations,
    labels: {
      'boathook.dev/workload-kind': 'GameDeployment',
      'boathook.dev/workload': workload,
      'boathook.dev/workload-uid': uid,
    },
  },
});
const workloads = { list: () => [{ metadata: { name: 'g', namespace: 'n', uid: 'second' } }] };

test('hook runs without an owner are deleted when their workload is gone', async () => {
  const all = [unowned('first'), unowned('second')];
  const runs = {
    byIndex: (_: string, value: string) => all.filter((run) => workloadIndexes.unowned(run).includes(value)),
  };
  const removed: string[] = [];
  const client = {
    remove: (_: unknown, { name }: { readonly name: string }) => {
      removed.push(name);
      return Promise.resolve({ type: 'not-found', code: 404, message: '', status: {} } as const);
    },
  };
  const { signal } = new AbortController();
  const whose = { kind: 'GameDeployment', namespace: 'n', name: 'g' };
  await deleteFormerRuns(client, { runs, workloads }, whose, signal);
  expect(removed).toEqual(['run-of-first']);
});

test('a hook run without an owner reconciles the workload of its label, also one that is gone', () => {
  const keysOf = (run: KubeObject, kind = 'GameDeployment') => [
    ...labelledSource({} as Informer, workloads, kind).keysOf({ type: 'added', object: run }),
  ];
  expect(keysOf(unowned('second', 'shortened'))).toEqual(['n/g']);
  expect(keysOf(unowned('first', 'former'))).toEqual(['n/former']);
  expect(keysOf(unowned('first', 'former'), 'GameStatefulSet')).toEqual([]);
  const long = 'x'.repeat(70);
  expect(keysOf(unowned('first', fitted(long)))).toEqual([]);
  expect(keysOf(unowned('first', fitted(long), { 'boathook.dev/workload-name': long }))).toEqual([
    `n/${long}`,
  ]);
  const longest = 'x'.repeat(63);
  expect(keysOf(unowned('first', longest, { 'boathook.dev/workload-name': longest }))).toEqual([
    `n/${longest}`,
  ]);
});
