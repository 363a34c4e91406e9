import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { readWorkloadSnapshot, type SnapshotReader } from './workload-snapshot.ts';

const key = { namespace: 'n', name: 'g' };
const workload: KubeObject = {
  metadata: { ...key, uid: 'u', deletionTimestamp: '2026-01-05T12:00:00Z' },
  spec: { preDeleteUpdateStrategy: { hook: { templateName: 'age' }, enforce: 'Always' } },
};
const run: KubeObject = { metadata: { namespace: 'n', name: 'run' } };

/** A reader of informers that show the run only after the namespace was asked for. */
function lateReader(): SnapshotReader {
  const shown = new Map<string, KubeObject>();
  const none = (): undefined => undefined;
  return {
    workload: () => Promise.resolve(workload),
    revisions: () => Promise.resolve({ update: { metadata: { name: 'r' } }, others: [] }),
    pods: () => Promise.resolve([]),
    runs: () => Promise.resolve({ own: [...shown.values()], named: (name) => shown.get(name) }),
    templates: () => Promise.resolve(none),
    nodes: () => Promise.resolve(none),
    claims: () => Promise.resolve(none),
    budgets: () => Promise.resolve([]),
    isNamespaceEnding: async () => {
      await Promise.resolve();
      shown.set('run', run);
      return false;
    },
  };
}

test('the runs of a workload and the names that are taken are of one moment', async () => {
  const snapshot = await readWorkloadSnapshot(lateReader(), key, { now: () => instant(0) });
  expect(snapshot?.isRunName('run')).toBe(true);
  expect(snapshot?.runs).toEqual([run]);
  expect(snapshot?.isNamespaceEnding).toBe(false);
});
