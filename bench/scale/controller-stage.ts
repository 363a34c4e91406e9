import { setTimeout as sleep } from 'node:timers/promises';
import { openAll } from '../apiserver/connection.ts';
import { doAll } from '../apiserver/load.ts';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import { median } from '../apiserver/statistics.ts';
import type { HookService } from '../hooks/hook-service.ts';
import { bring, changeImage, create, isComplete, workload } from '../workloads/workload-objects.ts';
import type { WorkloadsCluster } from '../workloads/workloads-cluster.ts';
import { activeRun } from './active-run.ts';
import type { ScaleEffort, ScaleMeasurement } from './figures.ts';

const nameOf = (number: number): string => `shop-${number}`;

/** One controller with many objects: its memory over churn, its rest, and how soon a new one acts. */
export async function manyObjects(
  cluster: WorkloadsCluster,
  service: HookService,
  effort: ScaleEffort,
): Promise<readonly ScaleMeasurement[]> {
  const asks = Array.from({ length: effort.workloads }, (_, number) => create(workload(nameOf(number), 1)));
  await bring(cluster.address, asks, isComplete(1, 1));
  const connections = await openAll(cluster.address, 16);
  await doAll(
    connections,
    Array.from({ length: effort.runs }, (_, number) => activeRun(number, service.url)),
  );
  for (const each of connections) each.close();
  await cluster.restartController();
  await sleep(effort.settleMillis);
  const cpu = await restingCpu(cluster, effort);
  const memories = await churn(cluster, effort);
  const restarts = await restartTimes(cluster, effort);
  const last = memories.at(-1) ?? 0;
  // In the first half workloads come to have as many revisions and recorded releases as they keep.
  const first = memories[Math.floor((memories.length - 1) / 2)] ?? last;
  return [
    {
      id: 'memory',
      value: last,
      rounds: memories,
      details: { peak: memoryOf([cluster.controller()]).peakMegabytes },
    },
    { id: 'growth', value: Math.max(0.01, ((last - first) / first) * 100), rounds: memories, details: {} },
    { id: 'idle-cpu', value: cpu, rounds: [cpu], details: {} },
    { id: 'restart', value: median(restarts), rounds: restarts, details: {} },
  ];
}

async function restingCpu(cluster: WorkloadsCluster, { restMillis }: ScaleEffort): Promise<number> {
  const controller = cluster.controller();
  const before = cpuMicros([controller]);
  const began = performance.now();
  await sleep(restMillis);
  return ((cpuMicros([controller]) - before) / ((performance.now() - began) * 1000)) * 100;
}

/** The resident memory after each round, in MB. */
async function churn(cluster: WorkloadsCluster, effort: ScaleEffort): Promise<readonly number[]> {
  const memories: number[] = [];
  for (let round = 0; round < effort.churnRounds; round += 1) {
    const changes = Array.from({ length: effort.churned }, (_, number) =>
      changeImage(nameOf(number), round + 2),
    );
    await bring(cluster.address, changes, isComplete(1, round + 2));
    await sleep(effort.settleMillis / 4);
    memories.push(memoryOf([cluster.controller()]).nowMegabytes);
  }
  return memories;
}

/** From the start of the process until the status of an edited workload has its generation, in seconds. */
async function restartTimes(cluster: WorkloadsCluster, effort: ScaleEffort): Promise<readonly number[]> {
  const times: number[] = [];
  for (let restart = 0; restart < effort.restarts; restart += 1) {
    const tag = 100 + restart;
    await cluster.stopController();
    // The clock starts when the new process does: the edit is made while no controller runs.
    const edited = bring(cluster.address, [changeImage(nameOf(effort.workloads - 1), tag)], isObserved);
    const began = performance.now();
    await cluster.restartController();
    await edited;
    times.push((performance.now() - began) / 1000);
    await sleep(effort.settleMillis / 4);
  }
  return times;
}

const isObserved = (object: Readonly<Record<string, unknown>>): boolean => {
  const { metadata, status } = object as {
    readonly metadata?: { readonly generation?: number };
    readonly status?: { readonly observedGeneration?: number };
  };
  return status?.observedGeneration === metadata?.generation;
};
