import type { Browser, BrowserContext } from 'playwright-core';
import { startBrowser } from '../../tests/support/browser.ts';
import { Connection, type Address } from '../apiserver/connection.ts';
import { startCliCluster } from '../cli/cli-cluster.ts';
import { beginRelease } from '../cli/get-stage.ts';
import { bring, create, isComplete, workload } from '../workloads/workload-objects.ts';
import { startDashboard, type DashboardProcess } from './dashboard-process.ts';

/** A cluster with many workloads, its dashboard in another process, and a browser. */
export type DashboardBench = {
  readonly address: Address;
  readonly dashboard: DashboardProcess;
  readonly browser: Browser;
  readonly connection: Connection;
  /** A browser of its own with the session: nothing is in its cache. */
  newBrowser(): Promise<BrowserContext>;
  stop(): Promise<void>;
};

/** The release that is looked at: ten pods, in the middle of a canary. */
export const releasePath = '/release/GameDeployment/bench/shop';
const podsOfNode = 100;

export async function startBench(
  folder: string,
  workloads: number,
  profile: string | undefined,
): Promise<DashboardBench> {
  const nodes = Math.ceil(workloads / podsOfNode) + 2;
  const cluster = await startCliCluster(folder, [
    '--nodes',
    String(nodes),
    '--profile',
    'instant',
    '--no-dashboard',
    '--log-level',
    'error',
  ]);
  const { address } = cluster;
  const asks = Array.from({ length: workloads }, (_, number) => create(workload(`other-${number}`, 1)));
  await bring(address, asks, isComplete(1, 1));
  await beginRelease(cluster);
  const dashboard = await startDashboard(cluster.kubeconfig, profile);
  const browser = await startBrowser();
  const connection = await Connection.open(address);
  return {
    address,
    dashboard,
    browser,
    connection,
    async newBrowser() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      await context.addCookies([{ ...dashboard.cookie, url: dashboard.url }]);
      return context;
    },
    async stop() {
      connection.close();
      await browser.close();
      await dashboard.stop();
      await cluster.stop();
    },
  };
}
