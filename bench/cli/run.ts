import { runSuite, type Place, type Stage } from '../suite/run-suite.ts';
import { startCliCluster, type CliCluster } from './cli-cluster.ts';
import { figures, fullEffort, quickEffort, type CliEffort, type CliFigureId } from './figures.ts';
import { gets } from './get-stage.ts';
import { helps } from './help-stage.ts';
import { lists } from './list-stage.ts';

type Here = Place<CliFigureId, CliEffort>;

const stages: readonly Stage<CliFigureId, CliEffort>[] = [
  { name: 'verbs', ids: ['help'], run: async ({ effort }) => [await helps(effort)] },
  {
    name: 'many workloads',
    ids: ['list', 'list-memory', 'complete'],
    // Objects are written by the bench alone.
    run: (here) =>
      onCluster(here, ['--nodes', '0', '--controllers', 'none', '--kube-controllers', 'none'], (cluster) =>
        lists(cluster, here.effort),
      ),
  },
  {
    name: 'many pods',
    ids: ['get'],
    run: (here) =>
      onCluster(here, ['--profile', 'instant'], async (cluster) => [await gets(cluster, here.effort)]),
  },
];

/** Measures the command line and prints what it found. */
export const runCli = (args: readonly string[]): Promise<void> =>
  runSuite({ name: 'cli', figures, fullEffort, quickEffort, stages }, args);

async function onCluster<Found>(
  { folder }: Here,
  flags: readonly string[],
  act: (cluster: CliCluster) => Promise<Found>,
): Promise<Found> {
  const cluster = await startCliCluster(folder, flags);
  try {
    return await act(cluster);
  } finally {
    await cluster.stop();
  }
}
