import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import { median } from '../apiserver/statistics.ts';
import type { Cluster } from './cluster.ts';
import type { NodesEffort, NodesMeasurement } from './figures.ts';
import { bringPods, clearPods } from './pods.ts';

/** Pods brought to Ready, again and again on an empty cluster. The first round only warms up. */
export async function readyRate(cluster: Cluster, effort: NodesEffort): Promise<NodesMeasurement> {
  const { rounds, podsPerRound } = effort;
  const found = [];
  for (let round = 0; round <= rounds; round++) {
    found.push(await bringPods(cluster, `round-${round}-`, podsPerRound));
    await clearPods(cluster);
  }
  const counted = found.slice(1);
  const rates = counted.map(({ seconds }) => podsPerRound / seconds);
  const busy = counted.map((each) => each.cpuMicros / 1e6 / each.seconds);
  const cpu = counted.reduce((sum, each) => sum + each.cpuMicros, 0) / (podsPerRound * counted.length);
  return {
    id: 'ready-rate',
    value: median(rates),
    rounds: rates,
    cpuMicrosPerOperation: cpu,
    // Near 1 or above: the one thread of the server is the bound, not the disk.
    details: {
      processorsBusy: median(busy),
      createsPerSecond: median(counted.map((each) => podsPerRound / each.createSeconds)),
    },
  };
}

/** Many pods brought to Ready once; then what it costs to keep them. */
export async function manyPods(cluster: Cluster, effort: NodesEffort): Promise<readonly NodesMeasurement[]> {
  const brought = await bringPods(cluster, 'many-', effort.pods);
  const filled: NodesMeasurement = {
    id: 'ready-10k',
    value: brought.seconds,
    rounds: [brought.seconds],
    cpuMicrosPerOperation: brought.cpuMicros / effort.pods,
    details: { podsPerSecond: effort.pods / brought.seconds, createSeconds: brought.createSeconds },
  };
  await sleep(effort.settleMillis);
  const shares: number[] = [];
  for (let round = 0; round < effort.rounds; round++) shares.push(await cpuShare(cluster, effort));
  const { nowMegabytes } = memoryOf(cluster.pids);
  return [
    filled,
    { id: 'rest-cpu', value: median(shares), rounds: shares, details: { megabytes: nowMegabytes } },
  ];
}

/** Percent of one core. */
async function cpuShare({ pids }: Cluster, { restMillis, rounds }: NodesEffort): Promise<number> {
  const cpu = cpuMicros(pids);
  const began = performance.now();
  await sleep(restMillis / rounds);
  return ((cpuMicros(pids) - cpu) / ((performance.now() - began) * 1000)) * 100;
}
