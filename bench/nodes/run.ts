import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durableWritesPerSecond } from '../apiserver/disk-probe.ts';
import { tableOf, type Report } from '../apiserver/report.ts';
import { nodesOptions } from './chosen-figures.ts';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type NodesEffort,
  type NodesFigure,
  type NodesFigureId,
  type NodesMeasurement,
} from './figures.ts';
import { manyPods, readyRate } from './fill-stage.ts';
import { roll } from './roll-stage.ts';

/** On the disk that holds the project: a temporary folder is often kept in memory, where fsync means nothing. */
const usualFolder = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

type Stage = {
  readonly name: string;
  readonly ids: readonly NodesFigureId[];
  readonly run: (cluster: Cluster, effort: NodesEffort) => Promise<readonly NodesMeasurement[]>;
};

/** Each on a cluster of its own. */
const stages: readonly Stage[] = [
  { name: 'rate', ids: ['ready-rate'], run: async (cluster, effort) => [await readyRate(cluster, effort)] },
  { name: 'roll', ids: ['roll'], run: async (cluster, effort) => [await roll(cluster, effort)] },
  { name: 'many', ids: ['ready-10k', 'rest-cpu'], run: manyPods },
];

/** Measures the simulated nodes and prints what it found. */
export async function runNodes(args: readonly string[]): Promise<void> {
  const options = nodesOptions(args);
  const effort = options.quick ? quickEffort : fullEffort;
  const parent = options.dir ?? usualFolder;
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  // Also when it is broken off.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const surroundings = {
    quick: options.quick,
    node: process.versions.node,
    cores: availableParallelism(),
    durableWritesPerSecond: durableWritesPerSecond(folder),
    loadAverage: loadavg()[0] ?? 0,
  };
  const found: NodesMeasurement[] = [];
  for (const stage of stages.filter(({ ids }) => ids.some((id) => options.ids.has(id)))) {
    process.stderr.write(`bench: nodes, ${stage.name}\n`);
    const { profile } = options;
    found.push(
      ...(await onCluster({ folder: join(folder, stage.name), nodes: effort.nodes, profile }, (cluster) =>
        stage.run(cluster, effort),
      )),
    );
  }
  const wanted = figures.filter(({ id }) => options.ids.has(id));
  const report = { ...surroundings, figures: wanted.flatMap((figure) => rowsOf(figure, found)) };
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  // The table asks nothing of the figures' names, which are all that differs from the API server's report.
  process.stdout.write(options.output === 'json' ? json : `${tableOf(report as unknown as Report)}\n`);
}

async function onCluster<Found>(
  options: ClusterOptions,
  act: (cluster: Cluster) => Promise<Found>,
): Promise<Found> {
  const cluster = await startCluster(options);
  try {
    return await act(cluster);
  } finally {
    await cluster.stop();
  }
}

type Row = Omit<Report['figures'][number], 'id'> & { readonly id: string };

function rowsOf(figure: NodesFigure, found: readonly NodesMeasurement[]): readonly Row[] {
  const { aim, target } = figure;
  return found
    .filter(({ id }) => id === figure.id)
    .map(({ value, rounds, cpuMicrosPerOperation = null, details }) => ({
      ...figure,
      real: null,
      measured: value,
      reached: aim === 'below' ? value < target : value >= target,
      rounds,
      cpuMicrosPerOperation,
      details,
      beside: null,
      timesBetter: null,
    }));
}
