import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import type { HooksEffort } from './figures.ts';
import { makeRuns, plannedStarts, type RunWish } from './hook-runs.ts';
import type { HookService } from './hook-service.ts';
import type { HooksCluster } from './hooks-cluster.ts';
import { latenessOf, type Lateness } from './lateness.ts';

/** A third of the runs each. */
const delays = [0, 50, 200];

export type Pace = Lateness & {
  readonly cpuMicrosPerCall: number;
  readonly processorsBusy: number;
  /** Percent of the time in which a process could have gone on but the machine had no processor for it. */
  readonly starvedPercent: number;
  readonly megabytes: number;
};

export type PaceWish = {
  readonly runs: number;
  /** So many of them call somebody who never answers. */
  readonly hanging: number;
};

/** Runs that ask every second, watched for a while from the other end of their calls. */
export async function pace(
  cluster: HooksCluster,
  service: HookService,
  { runs, hanging }: PaceWish,
  effort: HooksEffort,
): Promise<Pace> {
  const step = hanging === 0 ? Number.POSITIVE_INFINITY : Math.floor(runs / hanging);
  const isHanging = (number: number): boolean => number % step === step - 1;
  const wishes = Array.from({ length: runs }, (_, number): RunWish => {
    const delay = isHanging(number) ? 'hang' : String(delays[number % delays.length]);
    const name = `run-${number}`;
    return { name, url: `${service.url}/${delay}/${name}`, metric: { interval: '1s' } };
  });
  await makeRuns(cluster.address, wishes, effort.spreadMillis);
  await sleep(effort.warmUpMillis);
  const from = Date.now();
  const cpu = cpuMicros(cluster.pids);
  const waited = waitedMillis(cluster.pids);
  await sleep(effort.watchedMillis);
  const to = Date.now();
  const used = cpuMicros(cluster.pids) - cpu;
  const starved = waitedMillis(cluster.pids) - waited;
  const { nowMegabytes } = memoryOf(cluster.pids);
  const [calls, starts] = [await service.calls(), await plannedStarts(cluster.address)];
  const healthy = new Map([...starts].filter(([name]) => !isHanging(Number(name.slice('run-'.length)))));
  const lateness = latenessOf(calls, healthy, { from, to });
  return {
    ...lateness,
    cpuMicrosPerCall: used / Math.max(1, lateness.calls),
    processorsBusy: used / ((to - from) * 1000),
    starvedPercent: (starved / (to - from)) * 100,
    megabytes: nowMegabytes,
  };
}

/** How long the main threads of these processes have stood in line for a processor. */
const waitedMillis = (pids: readonly number[]): number =>
  pids.reduce(
    (sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1] ?? 0) / 1e6,
    0,
  );
