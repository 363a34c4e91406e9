import { basename } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { closeConnections } from './cluster-connection.ts';
import { openNow, removeLeft } from './start-elsewhere.ts';
import { reasonAgainst } from './story-needs.ts';
import { testCluster } from './test-cluster.ts';
import { traffic } from './traffic.ts';

/** Runs with every story of `npm run test:cluster`: what cannot run in the cluster is skipped with its reason. */
const cluster = testCluster();
if (cluster === undefined) throw new Error('stories of a cluster are started by npm run test:cluster');

beforeEach(({ task, skip }) => {
  const why = reasonAgainst(basename(task.file.name), task.name, cluster);
  if (why !== undefined) skip(why);
});
let before: ReturnType<typeof openNow> = new Set();
beforeEach(() => void (before = openNow()));
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    if (traffic.isBusy) process.stderr.write(`${task.name} has failed while\n${traffic.diagnosis}\n`);
    // A test that ran out of time has closed nothing.
    for (const close of openNow()) if (!before.has(close)) await close();
  }
  await removeLeft();
});
afterAll(closeConnections);
