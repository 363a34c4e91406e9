import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durableWritesPerSecond } from '../apiserver/disk-probe.ts';
import { tableOf, type Report } from '../apiserver/report.ts';
import { hooksOptions, type HooksOptions } from './chosen-figures.ts';
import { evaluations } from './expression-stage.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type HooksEffort,
  type HooksFigure,
  type HooksFigureId,
  type HooksMeasurement,
} from './figures.ts';
import { finishedRuns } from './finished-stage.ts';
import { startHookService, type HookService } from './hook-service.ts';
import { startHooksCluster, type HooksCluster, type HooksClusterOptions } from './hooks-cluster.ts';
import { pace, type Pace, type PaceWish } from './pace-stage.ts';
import { writesPerMeasurement } from './writes-stage.ts';

/** On the disk that holds the project: a temporary folder is often kept in memory, where fsync means nothing. */
const usualFolder = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

/** Measures the hook engine and prints what it found. */
export async function runHooks(args: readonly string[]): Promise<void> {
  const options = hooksOptions(args);
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
  const found = await new Stages(options, folder).run();
  const wanted = figures.filter(({ id }) => options.ids.has(id));
  const report = { ...surroundings, figures: wanted.flatMap((figure) => rowsOf(figure, found)) };
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  // The table asks nothing of the figures' names, which are all that differs from the API server's report.
  process.stdout.write(options.output === 'json' ? json : `${tableOf(report as unknown as Report)}\n`);
}

/** Each stage on a cluster and with a hook service of its own. */
class Stages {
  readonly #options: HooksOptions;
  readonly #folder: string;
  readonly #effort: HooksEffort;

  constructor(options: HooksOptions, folder: string) {
    const usual = options.quick ? quickEffort : fullEffort;
    this.#options = options;
    this.#folder = folder;
    this.#effort =
      options.seconds === undefined ? usual : { ...usual, watchedMillis: options.seconds * 1000 };
  }

  async run(): Promise<readonly HooksMeasurement[]> {
    const effort = this.#effort;
    const found: HooksMeasurement[] = [];
    const runs = effort.runsInOneProcess;
    const alone = this.#wants('one-process', 'hanging')
      ? await this.#pace('one-process', 1, { runs, hanging: 0 })
      : undefined;
    if (alone !== undefined) found.push(paceFigure('one-process', alone));
    if (this.#wants('two-processes'))
      found.push(
        paceFigure('two-processes', await this.#pace('two', 2, { runs: effort.runsInTwo, hanging: 0 })),
      );
    if (alone !== undefined && this.#wants('hanging'))
      found.push(hangingFigure(alone, await this.#pace('hanging', 1, { runs, hanging: runs / 10 })));
    if (this.#wants('writes'))
      found.push(
        await this.#onCluster('writes', 1, (cluster, service) =>
          writesPerMeasurement(cluster, service, effort),
        ),
      );
    if (this.#wants('finished-memory', 'finished-cpu')) found.push(...(await this.#finished()));
    if (this.#wants('expression')) found.push(evaluations(effort));
    return found;
  }

  #wants(...ids: readonly HooksFigureId[]): boolean {
    return ids.some((id) => this.#options.ids.has(id));
  }

  #pace(name: string, processes: 1 | 2, wish: PaceWish): Promise<Pace> {
    return this.#onCluster(name, processes, (cluster, service) => pace(cluster, service, wish, this.#effort));
  }

  async #finished(): Promise<readonly HooksMeasurement[]> {
    say('finished');
    return withService((service) => finishedRuns(this.#place('finished', 1), service, this.#effort));
  }

  #place(name: string, processes: 1 | 2): HooksClusterOptions {
    return { folder: join(this.#folder, name), processes, profile: this.#options.profile };
  }

  #onCluster<Found>(
    name: string,
    processes: 1 | 2,
    act: (cluster: HooksCluster, service: HookService) => Promise<Found>,
  ): Promise<Found> {
    say(name);
    return withService(async (service) => {
      const cluster = await startHooksCluster(this.#place(name, processes));
      try {
        return await act(cluster, service);
      } finally {
        await cluster.stop();
      }
    });
  }
}

async function withService<Found>(act: (service: HookService) => Promise<Found>): Promise<Found> {
  const service = await startHookService();
  try {
    return await act(service);
  } finally {
    await service.stop();
  }
}

const say = (stage: string): void => void process.stderr.write(`bench: hooks, ${stage}\n`);

function paceFigure(id: HooksFigureId, found: Pace): HooksMeasurement {
  const { p99, cpuMicrosPerCall, ...details } = found;
  return { id, value: p99, rounds: [p99], cpuMicrosPerOperation: cpuMicrosPerCall, details };
}

function hangingFigure(alone: Pace, beside: Pace): HooksMeasurement {
  const added = Math.max(0, beside.p99 - alone.p99);
  const { p99, missed, calls } = beside;
  return {
    id: 'hanging',
    value: added,
    rounds: [added],
    details: { without: alone.p99, with: p99, missed, calls },
  };
}

type Row = Omit<Report['figures'][number], 'id'> & { readonly id: string };

function rowsOf(figure: HooksFigure, found: readonly HooksMeasurement[]): readonly Row[] {
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
