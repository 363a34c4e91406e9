import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { mustBe } from '../apiserver/connection.ts';
import { median, percentile } from '../apiserver/statistics.ts';
import { changeImage, create, imageOf, workload } from '../workloads/workload-objects.ts';
import { releasePath, type DashboardBench } from './dashboard-bench.ts';
import type { DashboardEffort, DashboardFigureId, DashboardMeasurement } from './figures.ts';
import { notesWhatIsSeen, nowMillis, textSeen } from './seen.ts';

/** From a request to the API server to the frame that shows it, on the page of the release and in the overview. */
export async function writesSeen(
  bench: DashboardBench,
  { writes }: DashboardEffort,
): Promise<readonly DashboardMeasurement[]> {
  const context = await bench.newBrowser();
  const open = async (path: string, seen: string): Promise<Page> => {
    const page = await context.newPage();
    await notesWhatIsSeen(page);
    await page.goto(bench.dashboard.url + path);
    await textSeen(page, seen);
    return page;
  };
  const release = await open(releasePath, 'Pods');
  const onRelease = await delays(writes, async (number) => {
    const seen = textSeen(release, imageOf(1000 + number));
    const began = nowMillis();
    mustBe(await bench.connection.send(changeImage('shop', 1000 + number)), 200);
    return (await seen) - began;
  });
  await release.close();
  const overview = await open('/', 'other-1');
  const inOverview = await delays(writes, async (number) => {
    const name = `new-${number}-end`;
    const seen = textSeen(overview, name);
    const began = nowMillis();
    mustBe(await bench.connection.send(create(workload(name, 1))), 201);
    return (await seen) - began;
  });
  await context.close();
  return [measured('write', onRelease), measured('write-overview', inOverview)];
}

/** What a write makes controllers do has ended by then. */
const restMillis = 1000;

/** The first is not counted: until then the page may still be loading. */
async function delays(count: number, once: (number: number) => Promise<number>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let number = 0; number <= count; number += 1) {
    found.push(await once(number));
    await sleep(restMillis);
  }
  return found.slice(1);
}

const measured = (id: DashboardFigureId, rounds: readonly number[]): DashboardMeasurement => ({
  id,
  value: median(rounds),
  rounds,
  details: { p99Millis: percentile(rounds, 0.99) },
});
