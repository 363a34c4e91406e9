import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import type { DashboardBench } from './dashboard-bench.ts';
import type { DashboardEffort, DashboardMeasurement } from './figures.ts';
import { startDashboard, type DashboardProcess } from './dashboard-process.ts';
import { startWatchCounter } from './watch-counter.ts';

/** Feeds go on for 30 s after their last tab. */
const longestWait = 60_000;

type TabsGiven = Pick<DashboardBench, 'address'> & {
  readonly folder: string;
  readonly profile: string | undefined;
};

/**
 * Tabs of as many browsers: each has an event stream of its own. Each shows the overview and one of five releases, and
 * nothing happens in the cluster.
 */
export async function tabsAtRest(
  { address, folder, profile }: TabsGiven,
  { tabs, restMillis }: DashboardEffort,
): Promise<readonly DashboardMeasurement[]> {
  const counter = await startWatchCounter(address, folder);
  const dashboard = await startDashboard(counter.kubeconfig, profile);
  const closing = new AbortController();
  try {
    const streams = await Promise.all(
      Array.from({ length: tabs }, (_, number) => openTab(dashboard, number % 5, closing.signal)),
    );
    await Promise.all(streams.map(({ received }) => received));
    // What the first reading has begun comes to its end.
    await sleep(Math.min(restMillis, 5000));
    const percent = await cpuPercent(dashboard.pid, restMillis);
    const watches = Object.fromEntries(counter.watches);
    const { nowMegabytes } = memoryOf([dashboard.pid]);
    closing.abort();
    await Promise.all(streams.map(({ ended }) => ended));
    const closed = performance.now();
    while (counter.watches.size > 0 && performance.now() - closed < longestWait) await sleep(200);
    const seconds = (performance.now() - closed) / 1000;
    return [
      { id: 'tabs-cpu', value: percent, details: { tabs, megabytes: nowMegabytes } },
      { id: 'tabs-watches', value: sumOf(Object.values(watches)), details: watches },
      { id: 'left', value: sumOf(counter.watches.values()), details: { seconds } },
    ];
  } finally {
    closing.abort();
    await dashboard.stop();
    counter.close();
  }
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, each) => sum + each, 0);

/** Of one core. */
async function cpuPercent(pid: number, millis: number): Promise<number> {
  const began = performance.now();
  const used = cpuMicros([pid]);
  await sleep(millis);
  return (cpuMicros([pid]) - used) / (performance.now() - began) / 10;
}

type OpenTab = { readonly received: Promise<void>; readonly ended: Promise<void> };

/** Settles `received` when both topics have come. */
async function openTab(
  { url, cookie }: DashboardProcess,
  number: number,
  signal: AbortSignal,
): Promise<OpenTab> {
  const topics = ['overview', `release/GameDeployment/bench/other-${number}`];
  const query = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&');
  const headers = { cookie: `${cookie.name}=${cookie.value}` };
  const reply = await fetch(`${url}/api/stream?${query}`, { headers, signal });
  const received = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    if (reply.body === null) throw new Error('the stream is empty');
    let text = '';
    for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
      text = topics.every((topic) => text.includes(`id: ${topic}@`)) ? '' : text + piece;
      if (topics.every((topic) => text.includes(`id: ${topic}@`))) received.resolve();
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!signal.aborted) received.reject(error);
  });
  return { received: received.promise, ended };
}
