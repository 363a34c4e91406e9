import { runSuite, type Place, type Stage } from '../suite/run-suite.ts';
import { churn } from './churn-stage.ts';
import { startBench } from './dashboard-bench.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type DashboardEffort,
  type DashboardFigureId,
  type DashboardMeasurement,
} from './figures.ts';
import { scriptSize } from './script-stage.ts';
import { tabsAtRest } from './tabs-stage.ts';
import { usableIn } from './usable-stage.ts';
import { writesSeen } from './write-stage.ts';

type Here = Place<DashboardFigureId, DashboardEffort>;

const stages: readonly Stage<DashboardFigureId, DashboardEffort>[] = [
  { name: 'script', ids: ['script'], run: async () => [await scriptSize()] },
  {
    name: 'pages',
    ids: [
      'usable',
      'write',
      'write-overview',
      'churn-heap',
      'churn-nodes',
      'churn-server',
      'tabs-cpu',
      'tabs-watches',
      'left',
    ],
    run: pages,
  },
];

/** Measures the dashboard and prints what it found. */
export const runDashboard = (args: readonly string[]): Promise<void> =>
  runSuite({ name: 'dashboard', figures, fullEffort, quickEffort, stages }, args);

/** One cluster for all, since filling it takes longest. */
async function pages({ folder, effort, options }: Here): Promise<readonly DashboardMeasurement[]> {
  const { ids, profile } = options;
  const isWanted = (...names: readonly DashboardFigureId[]): boolean => names.some((name) => ids.has(name));
  const bench = await startBench(folder, effort.workloads, profile);
  try {
    const found: DashboardMeasurement[] = [];
    if (isWanted('usable')) found.push(await usableIn(bench, effort));
    if (isWanted('write', 'write-overview')) found.push(...(await writesSeen(bench, effort)));
    if (isWanted('churn-heap', 'churn-nodes', 'churn-server')) found.push(...(await churn(bench, effort)));
    if (isWanted('tabs-cpu', 'tabs-watches', 'left')) {
      const { address } = bench;
      found.push(...(await tabsAtRest({ address, folder, profile }, effort)));
    }
    return found;
  } finally {
    await bench.stop();
  }
}
