import type { JsonObject } from '#base/json.ts';
import { median } from '../apiserver/statistics.ts';
import type { Ask } from '../apiserver/connection.ts';
import { create, imageOf, workload } from '../workloads/workload-objects.ts';
import type { CliCluster } from './cli-cluster.ts';
import type { CliEffort, CliMeasurement } from './figures.ts';
import { runCommand, usageOf, type CommandUsage } from './run-command.ts';

/** Lists and completes the names of many workloads, which are in the middle of a release. */
export async function lists(cluster: CliCluster, effort: CliEffort): Promise<readonly CliMeasurement[]> {
  const names = Array.from({ length: effort.workloads }, (_, number) => `shop-${number}`);
  await cluster.fill(names.map((name) => create(workload(name, 4, canary))));
  await cluster.fill(names.map(writeStatus));
  const list = ['release', 'list', '-A', '--kubeconfig', cluster.kubeconfig];
  const { out } = await runCommand(list);
  const lines = out.trimEnd().split('\n').length;
  if (lines !== effort.workloads + 1) throw new Error(`release list printed ${lines} lines`);
  const rounds: number[] = [];
  const usages: CommandUsage[] = [];
  const completions: number[] = [];
  const words = ['release', 'get', '-n', 'bench', '--kubeconfig', cluster.kubeconfig, 'gd/shop-1'];
  for (let round = 0; round < effort.rounds; round++) {
    rounds.push((await runCommand(list)).millis / 1000);
    usages.push(await usageOf(list));
    completions.push((await runCommand(['__complete', '--', ...words])).millis);
  }
  const memory = usages.map(({ peakMegabytes }) => peakMegabytes);
  const cpuMillis = median(usages.map((each) => each.cpuMillis));
  const completed = (await runCommand(['__complete', '--', ...words])).out.split('\n').length - 2;
  return [
    { id: 'list', value: median(rounds), rounds, details: { bytes: out.length, cpuMillis } },
    { id: 'list-memory', value: median(memory), rounds: memory, details: {} },
    { id: 'complete', value: median(completions), rounds: completions, details: { names: completed } },
  ];
}

const canary = {
  canary: { steps: [{ partition: 2 }, { pause: {} }, { partition: 0 }, { pause: { duration: 60 } }] },
};

const writeStatus = (name: string): Ask => ({
  method: 'PATCH',
  path: `/apis/tkex.tencent.com/v1alpha1/namespaces/bench/gamedeployments/${name}/status`,
  contentType: 'application/merge-patch+json',
  body: JSON.stringify({ status: statusOf(name) }),
});

/** As the controller writes it at the pause of a step. */
const statusOf = (name: string): JsonObject => ({
  observedGeneration: 1,
  replicas: 4,
  readyReplicas: 4,
  availableReplicas: 4,
  updatedReplicas: 2,
  updatedReadyReplicas: 2,
  updateRevision: `${name}-7d9c5b6f4d`,
  canary: { revision: `${name}-7d9c5b6f4d` },
  currentStepIndex: 1,
  step: '2/4',
  phase: 'Paused',
  reason: 'StepPause',
  message: `step 2/4: the release waits for a person; images ${imageOf(1)}`,
  pauseConditions: [{ reason: 'PausedByCanaryPauseStep', startTime: '2026-01-01T00:00:00Z' }],
});
