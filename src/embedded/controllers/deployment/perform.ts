import { objectAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { isControlledBy } from '#kube/workload/owner.ts';
import { replicaSets } from '#loop/owned/resources.ts';
import { Refused, removeObject, writeObject } from '#loop/owned/write.ts';
import { objectKeyOf, type KubeObject } from '#kube/object.ts';
import type { DeploymentAction } from './decide.ts';
import { isOfTemplate } from './template-hash.ts';

/** `stale`: the cache is stale, and an event will follow. `collision`: the name belongs to another template. */
export type Done = 'done' | 'stale' | 'collision';

type Client = Pick<KubeClient, 'create' | 'get' | 'update' | 'updateStatus' | 'remove'>;

export async function perform(
  client: Client,
  deployment: KubeObject,
  action: DeploymentAction,
  signal: AbortSignal,
): Promise<Done> {
  switch (action.type) {
    case 'create':
      return create(client, deployment, action.set, signal);
    case 'update':
      return (await writeObject(client, replicaSets, action.set, signal)) ? 'done' : 'stale';
    case 'delete':
      await removeObject(client, replicaSets, action.set, signal);
      return 'done';
  }
}

async function create(
  client: Client,
  deployment: KubeObject,
  set: KubeObject,
  signal: AbortSignal,
): Promise<Done> {
  const outcome = await client.create(replicaSets, set, signal);
  if (outcome.type === 'ok') return 'done';
  if (outcome.type !== 'exists') throw new Refused(outcome);
  const found = await client.get(replicaSets, objectKeyOf(set), signal);
  if (found.type !== 'ok') return 'stale';
  const isOurs =
    isControlledBy(found.object, deployment) &&
    isOfTemplate(found.object, objectAt(deployment, 'spec', 'template'));
  // One of our own that the cache does not show yet will show soon.
  return isOurs ? 'stale' : 'collision';
}
