import { cpuMicros } from '../apiserver/process-usage.ts';
import { median } from '../apiserver/statistics.ts';
import type { WorkloadsEffort, WorkloadsMeasurement } from './figures.ts';
import { bring, changeImage, create, isComplete, workload } from './workload-objects.ts';
import type { WorkloadsCluster } from './workloads-cluster.ts';

/** Workloads are made, and then all of their images change, again and again. */
export async function updates(
  cluster: WorkloadsCluster,
  effort: WorkloadsEffort,
  id: 'in-place' | 'in-place-own',
): Promise<readonly WorkloadsMeasurement[]> {
  const { workloads, replicas, rounds } = effort;
  const { address } = cluster;
  const names = Array.from({ length: workloads }, (_, number) => `shop-${number}`);
  const pods = workloads * replicas;
  const made = await bring(
    address,
    names.map((name) => create(workload(name, replicas, { maxUnavailable: '100%' }))),
    isComplete(replicas, 1),
  );
  const rates: number[] = [];
  let controllerMicros = 0;
  let allMicros = 0;
  for (let round = 0; round < rounds; round++) {
    const before = [cpuMicros([cluster.controller()]), cpuMicros(cluster.pids)] as const;
    const asks = names.map((name) => changeImage(name, round + 2));
    const seconds = await bring(address, asks, isComplete(replicas, round + 2));
    rates.push(pods / seconds);
    controllerMicros += cpuMicros([cluster.controller()]) - before[0];
    allMicros += cpuMicros(cluster.pids) - before[1];
  }
  return [
    { id: 'create', value: made, rounds: [made], details: { podsPerSecond: pods / made } },
    {
      id,
      value: median(rates),
      rounds: rates,
      cpuMicrosPerOperation: allMicros / (pods * rounds),
      details: {
        controllerMicrosPerPod: controllerMicros / (pods * rounds),
        othersMicrosPerPod: (allMicros - controllerMicros) / (pods * rounds),
      },
    },
  ];
}
