import { badUsage } from '../suite/chosen-figures.ts';
import type { Measurement } from '../suite/figure.ts';
import { runSuite, type Place, type Stage } from '../suite/run-suite.ts';
import { evaluations } from './expression-stage.ts';
import { figures, fullEffort, quickEffort, type HooksEffort, type HooksFigureId } from './figures.ts';
import { finishedRuns } from './finished-stage.ts';
import { startHookService, type HookService } from './hook-service.ts';
import { startHooksCluster, type HooksCluster } from './hooks-cluster.ts';
import { pace, type Pace, type PaceWish } from './pace-stage.ts';
import { writesPerMeasurement } from './writes-stage.ts';

type Here = Place<HooksFigureId, HooksEffort>;
type Found = Measurement<HooksFigureId>;

const stages: readonly Stage<HooksFigureId, HooksEffort>[] = [
  { name: 'one process', ids: ['one-process', 'hanging'], run: inOneProcess },
  {
    name: 'two processes',
    ids: ['two-processes'],
    run: async (here) => [
      paceFigure('two-processes', await paced(here, 2, { runs: here.effort.runsInTwo, hanging: 0 })),
    ],
  },
  {
    name: 'writes',
    ids: ['writes'],
    run: async (here) => [
      await onCluster(here, 1, (cluster, service) => writesPerMeasurement(cluster, service, here.effort)),
    ],
  },
  {
    name: 'finished',
    ids: ['finished-memory', 'finished-cpu'],
    run: ({ folder, options, effort }) =>
      withService((service) =>
        finishedRuns({ folder, processes: 1, profile: options.profile }, service, effort),
      ),
  },
  { name: 'expression', ids: ['expression'], run: ({ effort }) => Promise.resolve([evaluations(effort)]) },
];

/** Measures the hook engine and prints what it found. `--seconds`: for how long runs are watched. */
export function runHooks(args: readonly string[]): Promise<void> {
  const at = args.indexOf('--seconds');
  if (at < 0) return runSuite({ name: 'hooks', figures, fullEffort, quickEffort, stages }, args);
  const watched = { watchedMillis: secondsOf(args[at + 1] ?? '') * 1000 };
  const efforts = {
    fullEffort: { ...fullEffort, ...watched },
    quickEffort: { ...quickEffort, ...watched },
  };
  return runSuite({ name: 'hooks', figures, ...efforts, stages }, args.toSpliced(at, 2));
}

function secondsOf(text: string): number {
  const value = Number(text);
  if (text !== '' && Number.isFinite(value) && value >= 1) return value;
  throw badUsage(`--seconds ${text} is not a number of seconds: give at least 1`);
}

async function inOneProcess(here: Here): Promise<readonly Found[]> {
  const runs = here.effort.runsInOneProcess;
  const alone = await paced(here, 1, { runs, hanging: 0 });
  if (!here.options.ids.has('hanging')) return [paceFigure('one-process', alone)];
  const beside = await paced({ ...here, folder: `${here.folder}-hanging` }, 1, { runs, hanging: runs / 10 });
  return [paceFigure('one-process', alone), hangingFigure(alone, beside)];
}

const paced = (here: Here, processes: 1 | 2, wish: PaceWish): Promise<Pace> =>
  onCluster(here, processes, (cluster, service) => pace(cluster, service, wish, here.effort));

/** Each on a cluster and with a hook service of its own. */
function onCluster<Result>(
  { folder, options }: Here,
  processes: 1 | 2,
  act: (cluster: HooksCluster, service: HookService) => Promise<Result>,
): Promise<Result> {
  return withService(async (service) => {
    const cluster = await startHooksCluster({ folder, processes, profile: options.profile });
    try {
      return await act(cluster, service);
    } finally {
      await cluster.stop();
    }
  });
}

async function withService<Result>(act: (service: HookService) => Promise<Result>): Promise<Result> {
  const service = await startHookService();
  try {
    return await act(service);
  } finally {
    await service.stop();
  }
}

function paceFigure(id: HooksFigureId, found: Pace): Found {
  const { p99, cpuMicrosPerCall, ...details } = found;
  return { id, value: p99, rounds: [p99], cpuMicrosPerOperation: cpuMicrosPerCall, details };
}

function hangingFigure(alone: Pace, beside: Pace): Found {
  const added = Math.max(0, beside.p99 - alone.p99);
  const { p99, missed, calls } = beside;
  return {
    id: 'hanging',
    value: added,
    rounds: [added],
    details: { without: alone.p99, with: p99, missed, calls },
  };
}
