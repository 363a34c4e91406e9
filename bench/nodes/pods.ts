import type { JsonObject } from '#base/json.ts';
import { Connection, mustBe, openAll, type Ask } from '../apiserver/connection.ts';
import { doAll } from '../apiserver/load.ts';
import { podsPath } from '../apiserver/objects.ts';
import { cpuMicros } from '../apiserver/process-usage.ts';
import type { Cluster } from './cluster.ts';
import { followLines } from './event-lines.ts';

const clients = 32;

export const podSpec = (image: string): JsonObject => ({
  containers: [
    {
      name: 'server',
      image,
      ports: [{ containerPort: 8080 }],
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
      readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
    },
  ],
});

const createPod = (name: string): Ask => ({
  method: 'POST',
  path: podsPath,
  body: JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'shop' } },
    spec: podSpec('registry.example.com/shop:1'),
  }),
});

export type Brought = {
  readonly seconds: number;
  readonly createSeconds: number;
  readonly cpuMicros: number;
};

/** Creates pods and waits until all of them are Ready; the clock runs from the first request. */
export async function bringPods(cluster: Cluster, prefix: string, count: number): Promise<Brought> {
  const ready = new Set<string>();
  const watch = await followLines(cluster.address, podsPath, (line) => {
    const name = readyPod(line);
    return name?.startsWith(prefix) === true && ready.add(name).size === count;
  });
  const connections = await openAll(cluster.address, clients);
  const asks = Array.from({ length: count }, (_, number) => createPod(`${prefix}${number}`));
  const cpu = cpuMicros(cluster.pids);
  const began = performance.now();
  await doAll(connections, asks);
  const createSeconds = (performance.now() - began) / 1000;
  await watch.finished;
  const seconds = (performance.now() - began) / 1000;
  for (const each of connections) each.close();
  return { seconds, createSeconds, cpuMicros: cpuMicros(cluster.pids) - cpu };
}

/** Events are looked at as texts: reading them as JSON would take the processor from the server beside. */
function readyPod(line: string): string | undefined {
  const isReady =
    line.includes('"status":"True","type":"Ready"') || line.includes('"type":"Ready","status":"True"');
  return isReady && !line.startsWith('{"type":"DELETED"')
    ? /"metadata":\{[^{}]*?"name":"([^"]+)"/.exec(line)?.[1]
    : undefined;
}

/** Removes all pods at once and waits until none is left. */
export async function clearPods({ address }: Cluster): Promise<void> {
  const connection = await Connection.open(address);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  mustBe(await connection.send({ method: 'DELETE', path: podsPath, body }), 200);
  connection.close();
}
