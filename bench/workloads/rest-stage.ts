import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import type { WorkloadsEffort, WorkloadsMeasurement } from './figures.ts';
import { bring, create, isComplete, workload } from './workload-objects.ts';
import type { WorkloadsCluster } from './workloads-cluster.ts';

/** What it costs a controller that has begun anew to keep many workloads of which nothing is wanted. */
export async function rest(
  cluster: WorkloadsCluster,
  effort: WorkloadsEffort,
): Promise<readonly WorkloadsMeasurement[]> {
  const asks = Array.from({ length: effort.resting }, (_, number) => create(workload(`quiet-${number}`, 1)));
  const seconds = await bring(cluster.address, asks, isComplete(1, 1));
  await sleep(effort.settleMillis);
  const worked = memoryOf([cluster.controller()]).nowMegabytes;
  await cluster.restartController();
  await sleep(effort.settleMillis);
  const controller = cluster.controller();
  const cpu = cpuMicros([controller]);
  const began = performance.now();
  await sleep(effort.restMillis);
  const share = ((cpuMicros([controller]) - cpu) / ((performance.now() - began) * 1000)) * 100;
  const { nowMegabytes, peakMegabytes } = memoryOf([controller]);
  const details = { createSeconds: seconds, afterCreatingMegabytes: worked, peakMegabytes };
  return [
    { id: 'rest-memory', value: nowMegabytes, rounds: [nowMegabytes], details },
    { id: 'rest-cpu', value: share, rounds: [share], details: {} },
  ];
}
