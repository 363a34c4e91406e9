import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { startHookService } from '../hooks/hook-service.ts';
import { runSuite, type Stage } from '../suite/run-suite.ts';
import { startWorkloadsCluster } from '../workloads/workloads-cluster.ts';
import { manyObjects } from './controller-stage.ts';
import { killedShard } from './shards-stage.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type ScaleEffort,
  type ScaleFigureId,
  type ScaleMeasurement,
} from './figures.ts';

const stages: readonly Stage<ScaleFigureId, ScaleEffort>[] = [
  {
    name: 'one controller',
    ids: ['memory', 'growth', 'idle-cpu', 'restart'],
    async run({ folder, effort, options: { profile } }) {
      const service = await startHookService();
      const cluster = await startWorkloadsCluster({ folder, nodes: effort.nodes, profile, processes: 2 });
      try {
        return await manyObjects(cluster, service, effort);
      } finally {
        await cluster.stop();
        await service.stop();
      }
    },
  },
  {
    name: 'two shards',
    ids: ['takeover', 'twice'],
    async run({ folder, effort, options: { profile } }) {
      const service = await startHookService();
      const cluster = await startWorkloadsCluster({ folder, nodes: effort.nodes, profile, processes: 2 });
      try {
        await cluster.stopController();
        return await killedShard(cluster, service, effort);
      } finally {
        await cluster.stop();
        await service.stop();
      }
    },
  },
  { name: 'CRDs', ids: ['crds'], run: () => Promise.resolve([crds()]) },
];

function crds(): ScaleMeasurement {
  const folder = fileURLToPath(new URL('../../deploy/crds', import.meta.url));
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size / 1000);
  const value = sizes.reduce((sum, each) => sum + each, 0);
  return { id: 'crds', value, rounds: [value], details: {} };
}

/** Measures a controller with many objects and prints what it found. */
export const runScale = (args: readonly string[]): Promise<void> =>
  runSuite({ name: 'scale', figures, fullEffort, quickEffort, stages }, args);
