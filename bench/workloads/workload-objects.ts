import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import { openAll, type Address, type Ask } from '../apiserver/connection.ts';
import { doAll } from '../apiserver/load.ts';
import { followLines } from '../nodes/event-lines.ts';
import { podSpec } from '../nodes/pods.ts';

const inNamespace = '/apis/tkex.tencent.com/v1alpha1/namespaces/bench';
export const workloadPath = `${inNamespace}/gamedeployments`;
export const templatesPath = `${inNamespace}/hooktemplates`;
const clients = 32;

export const imageOf = (tag: number): string => `registry.example.com/shop:${tag}`;

/** A workload that is updated in place, with whatever else is wanted. */
export const workload = (name: string, replicas: number, strategy: JsonObject = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name, namespace: 'bench' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    updateStrategy: { type: 'InplaceUpdate', ...strategy },
    template: { metadata: { labels: { app: name } }, spec: podSpec(imageOf(1)) },
  },
});

export const create = (object: JsonObject): Ask => ({
  method: 'POST',
  path: workloadPath,
  body: JSON.stringify(object),
});

export const changeImage = (name: string, tag: number): Ask => ({
  method: 'PATCH',
  path: `${workloadPath}/${name}`,
  contentType: 'application/merge-patch+json',
  body: JSON.stringify({ spec: { template: { spec: podSpec(imageOf(tag)) } } }),
});

/** Sends all of it and waits until every workload of a prefix is as wanted; the clock runs from the first request. */
export async function bring(
  address: Address,
  asks: readonly Ask[],
  isDone: (workload: JsonObject) => boolean,
): Promise<number> {
  const done = new Set<string>();
  const watch = await followLines(address, workloadPath, (line) => {
    const { object } = JSON.parse(line) as { readonly object: JsonObject };
    if (isDone(object)) done.add(textAt(object, 'metadata', 'name') ?? '');
    return done.size === asks.length;
  });
  const connections = await openAll(address, clients);
  const began = performance.now();
  await doAll(connections, asks);
  await watch.finished;
  const seconds = (performance.now() - began) / 1000;
  for (const each of connections) each.close();
  return seconds;
}

/** All pods are there, in service, of the template as it stands, and no step is left. */
export const isComplete =
  (replicas: number, tag: number) =>
  (object: JsonObject): boolean =>
    textAt(object, 'status', 'phase') === 'Complete' &&
    numberAt(object, 'status', 'updatedReadyReplicas') === replicas &&
    numberAt(object, 'status', 'observedGeneration') === numberAt(object, 'metadata', 'generation') &&
    JSON.stringify(object['spec']).includes(imageOf(tag));
