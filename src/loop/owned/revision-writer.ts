import { numberAt, objectAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { isSameRevision, updateRevision, type RevisionNaming } from '#kube/workload/revisions.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { revisions } from './resources.ts';
import { Refused, writeStatus } from './write.ts';

type Client = Pick<KubeClient, 'create' | 'get' | 'update' | 'updateStatus'>;

/** The workload whose revision is wanted, its own resource, and the revisions it has. */
export type Revisioned = RevisionNaming & {
  readonly workload: KubeObject;
  readonly resource: Resource;
  readonly known: readonly KubeObject[];
};

/** Makes the workload's template the newest revision. Undefined: the cache is stale, and an event will follow. */
export async function ensureRevision(
  client: Client,
  { workload, resource, known, ...naming }: Revisioned,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const step = updateRevision(workload, known, naming);
  if (step.type === 'none') return step.revision;
  if (step.type === 'renumber') {
    const outcome = await client.update(revisions, step.revision, signal);
    if (outcome.type === 'ok') return outcome.object;
    if (outcome.type === 'conflict' || outcome.type === 'not-found') return undefined;
    throw new Refused(outcome);
  }
  const outcome = await client.create(revisions, step.revision, signal);
  if (outcome.type === 'ok') return outcome.object;
  if (outcome.type !== 'exists') throw new Refused(outcome);
  const key = { namespace: namespaceOf(workload), name: nameOf(step.revision) };
  const found = await client.get(revisions, key, signal);
  if (found.type !== 'ok') return undefined;
  if (isSameRevision(found.object, step.revision, workload)) return found.object;
  const collisionCount = (numberAt(workload, 'status', 'collisionCount') ?? 0) + 1;
  const status = { ...objectAt(workload, 'status'), collisionCount };
  await writeStatus(client, resource, { object: workload, status }, signal);
  return undefined;
}
