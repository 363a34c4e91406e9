import { numberAt, type JsonObject } from '#base/json.ts';
import { Connection, mustBe } from '../apiserver/connection.ts';
import { podsPath } from '../apiserver/objects.ts';
import { cpuMicros } from '../apiserver/process-usage.ts';
import { median } from '../apiserver/statistics.ts';
import type { Cluster } from './cluster.ts';
import { followLines } from './event-lines.ts';
import type { NodesEffort, NodesMeasurement } from './figures.ts';
import { podSpec } from './pods.ts';

const deploymentsPath = podsPath.replace('/api/v1/', '/apis/apps/v1/').replace(/pods$/, 'deployments');
const imageOf = (round: number): string => `registry.example.com/shop:${round}`;

/** A Deployment of many pods, given a new image again and again. */
export async function roll(cluster: Cluster, effort: NodesEffort): Promise<NodesMeasurement> {
  const connection = await Connection.open(cluster.address);
  const create = {
    method: 'POST',
    path: deploymentsPath,
    body: JSON.stringify(deployment(effort.replicas)),
  } as const;
  const first = await rolled(cluster, effort, 1, async () => {
    mustBe(await connection.send(create), 201);
  });
  const times: { readonly seconds: number; readonly cpuMicros: number }[] = [];
  for (let round = 2; round < 2 + effort.rounds; round++) {
    const body = JSON.stringify({ spec: { template: { spec: podSpec(imageOf(round)) } } });
    const path = `${deploymentsPath}/shop`;
    const contentType = 'application/merge-patch+json';
    times.push(
      await rolled(cluster, effort, round, async () => {
        mustBe(await connection.send({ method: 'PATCH', path, contentType, body }), 200);
      }),
    );
  }
  connection.close();
  const seconds = times.map((each) => each.seconds);
  return {
    id: 'roll',
    value: median(seconds),
    rounds: seconds,
    cpuMicrosPerOperation: median(times.map((each) => each.cpuMicros)) / effort.replicas,
    details: { firstRolloutSeconds: first.seconds },
  };
}

/** From the request until the Deployment of that generation says that all of its pods are new and available. */
async function rolled(
  { address, pids }: Cluster,
  { replicas }: NodesEffort,
  generation: number,
  act: () => Promise<void>,
): Promise<{ readonly seconds: number; readonly cpuMicros: number }> {
  const watch = await followLines(address, deploymentsPath, (line) => {
    const { object } = JSON.parse(line) as { readonly object: JsonObject };
    const counts = ['replicas', 'updatedReplicas', 'availableReplicas'];
    return (
      (numberAt(object, 'status', 'observedGeneration') ?? 0) >= generation &&
      counts.every((field) => numberAt(object, 'status', field) === replicas)
    );
  });
  const cpu = cpuMicros(pids);
  const began = performance.now();
  await act();
  await watch.finished;
  return { seconds: (performance.now() - began) / 1000, cpuMicros: cpuMicros(pids) - cpu };
}

const deployment = (replicas: number): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'shop' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    template: { metadata: { labels: { app: 'shop' } }, spec: podSpec(imageOf(1)) },
  },
});
