import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durableWritesPerSecond } from '../apiserver/disk-probe.ts';
import { tableOf, type Report } from '../apiserver/report.ts';
import { startHookService } from '../hooks/hook-service.ts';
import { canaries } from './canary-stage.ts';
import { workloadsOptions, type WorkloadsOptions } from './chosen-figures.ts';
import { decision } from './decision-stage.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type WorkloadsEffort,
  type WorkloadsFigure,
  type WorkloadsFigureId,
  type WorkloadsMeasurement,
} from './figures.ts';
import { rest } from './rest-stage.ts';
import { updates } from './update-stage.ts';
import { startWorkloadsCluster, type WorkloadsCluster } from './workloads-cluster.ts';
import { writes } from './writes-stage.ts';

/** On the disk that holds the project: a temporary folder is often kept in memory, where fsync means nothing. */
const usualFolder = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

/** Measures the controllers of workloads and prints what it found. */
export async function runWorkloads(args: readonly string[]): Promise<void> {
  const options = workloadsOptions(args);
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
  const found = await measure(options, folder);
  const wanted = figures.filter(({ id }) => options.ids.has(id));
  const report = { ...surroundings, figures: wanted.flatMap((figure) => rowsOf(figure, found)) };
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  // The table asks nothing of the figures' names, which are all that differs from the API server's report.
  process.stdout.write(options.output === 'json' ? json : `${tableOf(report as unknown as Report)}\n`);
}

type Stage = {
  readonly name: string;
  readonly ids: readonly WorkloadsFigureId[];
  readonly run: (effort: WorkloadsEffort, place: Place) => Promise<readonly WorkloadsMeasurement[]>;
};
type Place = <Found>(processes: 1 | 2, act: (cluster: WorkloadsCluster) => Promise<Found>) => Promise<Found>;

const stages: readonly Stage[] = [
  {
    name: 'one process',
    ids: ['create', 'in-place'],
    run: (effort, place) => place(1, (cluster) => updates(cluster, effort, 'in-place')),
  },
  {
    name: 'own process',
    ids: ['in-place-own'],
    run: async (effort, place) =>
      (await place(2, (cluster) => updates(cluster, effort, 'in-place-own'))).slice(1),
  },
  { name: 'writes', ids: ['writes'], run: async (effort) => [await writes(effort)] },
  {
    name: 'canaries',
    ids: ['canaries'],
    run: async (effort, place) => {
      const service = await startHookService();
      try {
        return [await place(1, (cluster) => canaries(cluster, service, effort))];
      } finally {
        await service.stop();
      }
    },
  },
  {
    name: 'rest',
    ids: ['rest-memory', 'rest-cpu'],
    run: (effort, place) => place(2, (cluster) => rest(cluster, effort)),
  },
  { name: 'decision', ids: ['decision'], run: (effort) => Promise.resolve([decision(effort)]) },
];

async function measure(
  { ids, quick, profile }: WorkloadsOptions,
  folder: string,
): Promise<readonly WorkloadsMeasurement[]> {
  const effort = quick ? quickEffort : fullEffort;
  const found: WorkloadsMeasurement[] = [];
  for (const { name, ids: own, run } of stages.filter((stage) => stage.ids.some((id) => ids.has(id)))) {
    process.stderr.write(`bench: workloads, ${name}\n`);
    const options = { folder: join(folder, own[0] ?? name), nodes: effort.nodes, profile };
    const place: Place = async (processes, act) => {
      const cluster = await startWorkloadsCluster({ ...options, processes });
      try {
        return await act(cluster);
      } finally {
        await cluster.stop();
      }
    };
    found.push(...(await run(effort, place)));
  }
  return found;
}

type Row = Omit<Report['figures'][number], 'id'> & { readonly id: string };

function rowsOf(figure: WorkloadsFigure, found: readonly WorkloadsMeasurement[]): readonly Row[] {
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
