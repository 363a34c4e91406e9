import { startHookService } from '../hooks/hook-service.ts';
import { runSuite, type Place, type Stage } from '../suite/run-suite.ts';
import { canaries } from './canary-stage.ts';
import { decision } from './decision-stage.ts';
import { figures, fullEffort, quickEffort, type WorkloadsEffort, type WorkloadsFigureId } from './figures.ts';
import { rest } from './rest-stage.ts';
import { updates } from './update-stage.ts';
import { startWorkloadsCluster, type WorkloadsCluster } from './workloads-cluster.ts';
import { writes } from './writes-stage.ts';

type Here = Place<WorkloadsFigureId, WorkloadsEffort>;

const stages: readonly Stage<WorkloadsFigureId, WorkloadsEffort>[] = [
  {
    name: 'one process',
    ids: ['create', 'in-place'],
    run: (here) => onCluster(here, 1, (cluster) => updates(cluster, here.effort, 'in-place')),
  },
  {
    name: 'own process',
    ids: ['in-place-own'],
    run: async (here) =>
      (await onCluster(here, 2, (cluster) => updates(cluster, here.effort, 'in-place-own'))).slice(1),
  },
  { name: 'writes', ids: ['writes'], run: async ({ effort }) => [await writes(effort)] },
  {
    name: 'canaries',
    ids: ['canaries'],
    run: async (here) => {
      const service = await startHookService();
      try {
        return [await onCluster(here, 1, (cluster) => canaries(cluster, service, here.effort))];
      } finally {
        await service.stop();
      }
    },
  },
  {
    name: 'rest',
    ids: ['rest-memory', 'rest-cpu'],
    run: (here) => onCluster(here, 2, (cluster) => rest(cluster, here.effort)),
  },
  { name: 'decision', ids: ['decision'], run: ({ effort }) => Promise.resolve([decision(effort)]) },
];

/** Measures the controllers of workloads and prints what it found. */
export const runWorkloads = (args: readonly string[]): Promise<void> =>
  runSuite({ name: 'workloads', figures, fullEffort, quickEffort, stages }, args);

async function onCluster<Found>(
  { folder, effort, options }: Here,
  processes: 1 | 2,
  act: (cluster: WorkloadsCluster) => Promise<Found>,
): Promise<Found> {
  const { profile } = options;
  const cluster = await startWorkloadsCluster({ folder, nodes: effort.nodes, profile, processes });
  try {
    return await act(cluster);
  } finally {
    await cluster.stop();
  }
}
