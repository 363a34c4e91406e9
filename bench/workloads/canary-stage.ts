import type { JsonObject } from '#base/json.ts';
import { Connection, mustBe } from '../apiserver/connection.ts';
import { cpuMicros } from '../apiserver/process-usage.ts';
import type { HookService } from '../hooks/hook-service.ts';
import type { WorkloadsEffort, WorkloadsMeasurement } from './figures.ts';
import { bring, changeImage, create, isComplete, templatesPath, workload } from './workload-objects.ts';
import type { WorkloadsCluster } from './workloads-cluster.ts';

/** A fifth, a hook, half, a pause, a hook, all. */
const steps = (pauseSeconds: number): readonly JsonObject[] => [
  { partition: '80%' },
  { hook: { templateName: 'age' } },
  { partition: '50%' },
  { pause: { duration: pauseSeconds } },
  { hook: { templateName: 'age' } },
];

/** Many releases walk the same steps at once; what they are told to wait is not counted. */
export async function canaries(
  cluster: WorkloadsCluster,
  service: HookService,
  effort: WorkloadsEffort,
): Promise<WorkloadsMeasurement> {
  const { canaries: count, canaryReplicas: replicas, pauseSeconds } = effort;
  const connection = await Connection.open(cluster.address);
  const body = JSON.stringify(template(`${service.url}/0/canary`));
  mustBe(await connection.send({ method: 'POST', path: templatesPath, body }), 201);
  connection.close();
  const names = Array.from({ length: count }, (_, number) => `canary-${number}`);
  const strategy = { canary: { steps: steps(pauseSeconds) } };
  await bring(
    cluster.address,
    names.map((name) => create(workload(name, replicas, strategy))),
    isComplete(replicas, 1),
  );
  const cpu = cpuMicros(cluster.pids);
  const asks = names.map((name) => changeImage(name, 2));
  const seconds = await bring(cluster.address, asks, isComplete(replicas, 2));
  const value = seconds - pauseSeconds;
  return {
    id: 'canaries',
    value,
    rounds: [value],
    cpuMicrosPerOperation: (cpuMicros(cluster.pids) - cpu) / count,
    details: { wallSeconds: seconds, calls: [...(await service.calls()).values()].flat().length },
  };
}

const template = (url: string): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'age' },
  spec: {
    metrics: [
      {
        name: 'age',
        successCondition: 'asInt(result) < 30',
        provider: { web: { url, jsonPath: '{$.age}' } },
      },
    ],
  },
});
