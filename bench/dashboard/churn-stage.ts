import type { CDPSession, Page } from 'playwright-core';
import { mustBe, type Ask } from '../apiserver/connection.ts';
import { memoryOf } from '../apiserver/process-usage.ts';
import { changeImage, create, workload, workloadPath } from '../workloads/workload-objects.ts';
import { releasePath, type DashboardBench } from './dashboard-bench.ts';
import type { DashboardEffort, DashboardMeasurement } from './figures.ts';

type PageMemory = { readonly heapMegabytes: number; readonly nodes: number; readonly listeners: number };

/**
 * Workloads come, change and go while a tab shows the overview and another a release. The first look is after some of it,
 * since lists such as the history of a release grow until they are full.
 */
export async function churn(
  bench: DashboardBench,
  { settling, churn: count }: DashboardEffort,
): Promise<readonly DashboardMeasurement[]> {
  const context = await bench.newBrowser();
  const pages: Page[] = [];
  for (const path of ['/', releasePath]) {
    const page = await context.newPage();
    await page.goto(bench.dashboard.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    pages.push(page);
  }
  const sessions = await Promise.all(pages.map((page) => context.newCDPSession(page)));
  const look = async (): Promise<{ readonly pages: readonly PageMemory[]; readonly server: number }> => ({
    pages: await Promise.all(sessions.map(memoryOfPage)),
    server: memoryOf([bench.dashboard.pid]).nowMegabytes,
  });
  await write(bench, 0, settling);
  const before = await look();
  const began = performance.now();
  await write(bench, settling, count);
  const seconds = (performance.now() - began) / 1000;
  const after = await look();
  await context.close();
  const growth = (of: keyof PageMemory): readonly number[] =>
    after.pages.map((page, index) => page[of] - (before.pages[index]?.[of] ?? 0));
  const details = (of: keyof PageMemory): Readonly<Record<string, number>> => ({
    seconds,
    writes: count,
    overviewBefore: before.pages[0]?.[of] ?? 0,
    overviewAfter: after.pages[0]?.[of] ?? 0,
    releaseBefore: before.pages[1]?.[of] ?? 0,
    releaseAfter: after.pages[1]?.[of] ?? 0,
  });
  return [
    { id: 'churn-heap', value: atLeastZero(growth('heapMegabytes')), details: details('heapMegabytes') },
    { id: 'churn-nodes', value: atLeastZero(growth('nodes')), details: details('nodes') },
    {
      id: 'churn-server',
      value: atLeastZero([after.server - before.server]),
      details: { beforeMegabytes: before.server, afterMegabytes: after.server },
    },
  ];
}

const atLeastZero = (values: readonly number[]): number => Math.max(0, ...values);

/** Every third write changes the release that is shown; the others create and delete workloads beside it. */
async function write({ connection }: DashboardBench, from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number += 1)
    mustBe(await connection.send(churnAsk(number)), 200, 201);
}

function churnAsk(number: number): Ask {
  const pair = `churn-${Math.floor(number / 3)}`;
  switch (number % 3) {
    case 0:
      return changeImage('shop', 5000 + number);
    case 1:
      return create(workload(pair, 1));
    default:
      return { method: 'DELETE', path: `${workloadPath}/${pair}` };
  }
}

/** After a garbage collection. */
async function memoryOfPage(session: CDPSession): Promise<PageMemory> {
  await session.send('HeapProfiler.enable');
  for (let times = 0; times < 3; times += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { heapMegabytes: usedSize / 1e6, nodes, listeners: jsEventListeners };
}
