import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import type { DashboardBench } from './dashboard-bench.ts';
import type { DashboardEffort, DashboardMeasurement } from './figures.ts';
import { connectionsTo } from './process-connections.ts';

/** Feeds go on for 30 s after their last tab, and kept-alive connections a little longer. */
const lingeringMillis = 45_000;
const longestWait = 120_000;

/**
 * Tabs of as many browsers: each has an event stream of its own. Each shows the overview and one of five releases, and
 * nothing happens in the cluster.
 */
export async function tabsAtRest(
  { dashboard, address }: DashboardBench,
  { tabs, restMillis }: DashboardEffort,
): Promise<readonly DashboardMeasurement[]> {
  const closing = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: tabs }, (_, number) => openTab(dashboard, number % 5, closing.signal)),
  );
  await Promise.all(streams.map(({ received }) => received));
  // Requests of the first reading use connections that are kept for a moment.
  await sleep(Math.min(restMillis, 15_000));
  const began = performance.now();
  const used = cpuMicros([dashboard.pid]);
  await sleep(restMillis);
  const micros = cpuMicros([dashboard.pid]) - used;
  const percent = micros / (performance.now() - began) / 10;
  const watches = connectionsTo(dashboard.pid, address.port);
  const { nowMegabytes } = memoryOf([dashboard.pid]);
  closing.abort();
  await Promise.all(streams.map(({ ended }) => ended));
  const left = await untilFew(() => connectionsTo(dashboard.pid, address.port));
  return [
    { id: 'tabs-cpu', value: percent, details: { tabs, megabytes: nowMegabytes } },
    { id: 'tabs-watches', value: watches, details: { tabs } },
    { id: 'left', value: left, details: {} },
  ];
}

async function untilFew(count: () => number): Promise<number> {
  await sleep(lingeringMillis);
  for (let waited = lingeringMillis; count() > 0 && waited < longestWait; waited += 1000) await sleep(1000);
  return count();
}

type OpenTab = { readonly received: Promise<void>; readonly ended: Promise<void> };

/** Settles `received` when both topics have come. */
async function openTab(
  { url, cookie }: DashboardBench['dashboard'],
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
