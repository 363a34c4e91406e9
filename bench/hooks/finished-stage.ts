import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '#base/json.ts';
import { cpuMicros, memoryOf } from '../apiserver/process-usage.ts';
import type { HooksEffort, HooksMeasurement } from './figures.ts';
import { makeRuns, readRuns, type RunWish } from './hook-runs.ts';
import type { HookService } from './hook-service.ts';
import { startHooksCluster, type HooksClusterOptions } from './hooks-cluster.ts';

/** What thousands of finished runs cost a server that has begun anew, so that it keeps no news of them. */
export async function finishedRuns(
  options: HooksClusterOptions,
  service: HookService,
  effort: HooksEffort,
): Promise<readonly HooksMeasurement[]> {
  const idle = await atRest(options, effort);
  const cluster = await startHooksCluster(options);
  try {
    const wishes = Array.from({ length: effort.finishedRuns }, (_, number): RunWish => {
      const name = `finished-${number}`;
      return { name, url: `${service.url}/0/${name}` };
    });
    await makeRuns(cluster.address, wishes, effort.finishedRuns);
    while ((await readRuns(cluster.address)).some((run) => textAt(run, 'status', 'finishedAt') === undefined))
      await sleep(500);
  } finally {
    await cluster.stop();
  }
  const full = await atRest(options, effort);
  const above = full.megabytes - idle.megabytes;
  return [
    {
      id: 'finished-memory',
      value: above,
      rounds: [above],
      details: { idleMegabytes: idle.megabytes, fullMegabytes: full.megabytes },
    },
    {
      id: 'finished-cpu',
      value: Math.max(0, full.cpuPercent - idle.cpuPercent),
      rounds: [full.cpuPercent],
      details: { idlePercent: idle.cpuPercent, fullPercent: full.cpuPercent },
    },
  ];
}

type Rest = { readonly megabytes: number; readonly cpuPercent: number };

async function atRest(options: HooksClusterOptions, effort: HooksEffort): Promise<Rest> {
  const cluster = await startHooksCluster(options);
  try {
    await sleep(effort.settleMillis);
    const cpu = cpuMicros(cluster.pids);
    const began = performance.now();
    await sleep(effort.restMillis);
    const cpuPercent = ((cpuMicros(cluster.pids) - cpu) / ((performance.now() - began) * 1000)) * 100;
    return { megabytes: memoryOf(cluster.pids).nowMegabytes, cpuPercent };
  } finally {
    await cluster.stop();
  }
}
