import { runSuite, type Place } from '../suite/run-suite.ts';
import { startCluster, type Cluster } from './cluster.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type NodesEffort,
  type NodesFigureId,
  type NodesMeasurement,
} from './figures.ts';
import { manyPods, readyRate } from './fill-stage.ts';
import { roll } from './roll-stage.ts';

type Act = (cluster: Cluster, effort: NodesEffort) => Promise<readonly NodesMeasurement[]>;

/** Measures the simulated nodes and prints what it found. */
export const runNodes = (args: readonly string[]): Promise<void> =>
  runSuite<NodesFigureId, NodesEffort>(
    {
      name: 'nodes',
      figures,
      fullEffort,
      quickEffort,
      stages: [
        {
          name: 'rate',
          ids: ['ready-rate'],
          run: onCluster(async (cluster, effort) => [await readyRate(cluster, effort)]),
        },
        {
          name: 'roll',
          ids: ['roll'],
          run: onCluster(async (cluster, effort) => [await roll(cluster, effort)]),
        },
        { name: 'many', ids: ['ready-10k', 'rest-cpu'], run: onCluster(manyPods) },
      ],
    },
    args,
  );

/** Each stage on a cluster of its own. */
const onCluster =
  (act: Act) =>
  async ({ folder, effort, options }: Place<NodesFigureId, NodesEffort>) => {
    const cluster = await startCluster({ folder, nodes: effort.nodes, profile: options.profile });
    try {
      return await act(cluster, effort);
    } finally {
      await cluster.stop();
    }
  };
