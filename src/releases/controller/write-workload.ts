import { numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { objectKeyOf, nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { superfluousRevisions } from '#kube/workload/revisions.ts';
import type { Newest } from '#loop/owned/newest.ts';
import type { PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { revisions } from '#loop/owned/resources.ts';
import { Refused, removeAsSeen, replaceStatus } from '#loop/owned/write.ts';
import { statusWithFailure } from '#releases/decide/conditions.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import type { LostAgain } from './lost-again.ts';

export type WriteDeps = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly newest: Newest;
  readonly resource: Resource;
};

/**
 * Writes metadata and spec, then the status: whoever reads in the status that it is paused finds `paused` set.
 * Returns the workload as it is then; undefined when it has changed meanwhile.
 */
export async function writeWorkload(
  deps: WriteDeps,
  workload: KubeObject,
  {
    spec,
    status,
    annotations,
    finalizers,
    trouble,
  }: Decision & { readonly trouble: PodWriteFailure | undefined },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { clock } = deps;
  const metadata = {
    ...(annotations !== undefined && { annotations }),
    ...(finalizers !== undefined && { finalizers }),
  };
  const change = {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(spec !== undefined && { spec }),
  };
  const isChanged = Object.keys(change).length > 0;
  const base = isChanged ? await patchWorkload(deps, workload, change, signal) : workload;
  if (base === undefined) return undefined;
  const observedGeneration = numberAt(base, 'metadata', 'generation') ?? 0;
  const next = statusWithFailure(workload, { ...status, observedGeneration }, trouble, clock.now());
  return writeStatus(deps, base, next, signal);
}

/** Writes into the status of a workload why nothing was decided. One that is paused or blocked keeps its message. */
export async function writeTrouble(
  deps: WriteDeps,
  workload: KubeObject,
  trouble: LostAgain,
  signal: AbortSignal,
): Promise<void> {
  const before = objectAt(workload, 'status') ?? {};
  const status = statusWithFailure(workload, before, trouble, deps.clock.now());
  const isTold = textAt(status, 'message') === trouble.message;
  const observedGeneration = numberAt(workload, 'metadata', 'generation') ?? 0;
  await writeStatus(deps, workload, isTold ? { ...status, observedGeneration } : status, signal);
}

async function writeStatus(
  { client, newest, resource }: WriteDeps,
  object: KubeObject,
  status: JsonObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const written = await replaceStatus(client, resource, { object, status }, signal);
  if (written === undefined) newest.forget(uidOf(object));
  else newest.note(written);
  return written;
}

async function patchWorkload(
  { client, newest, resource }: WriteDeps,
  workload: KubeObject,
  { metadata, ...change }: { readonly metadata?: JsonObject; readonly spec?: JsonObject },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const body = { metadata: { ...metadata, resourceVersion: resourceVersionOf(workload) }, ...change };
  const outcome = await client.patch(resource, objectKeyOf(workload), { type: 'merge', body }, signal);
  if (outcome.type === 'ok') {
    newest.note(outcome.object);
    return outcome.object;
  }
  newest.forget(uidOf(workload));
  // Another client has changed it: the event of that change starts another reconcile.
  if (outcome.type === 'conflict' || outcome.type === 'not-found') return undefined;
  throw new Refused(outcome);
}

/** Deletes revisions beyond the limit of the history that no pod and no status refers to. */
export async function truncateRevisions(
  client: KubeClient,
  { workload, revisions: all, updateRevision, pods }: WorkloadSnapshot,
  signal: AbortSignal,
): Promise<void> {
  const limit = numberAt(workload, 'spec', 'revisionHistoryLimit') ?? 10;
  if (all.length <= limit) return;
  const live = new Set([
    nameOf(updateRevision),
    textAt(workload, 'status', 'currentRevision'),
    textAt(objectAt(workload, 'status', 'canary'), 'revision'),
    ...pods.map((pod) => releasePodOf(pod).revision),
  ]);
  const old = superfluousRevisions(all, (revision) => live.has(nameOf(revision)), limit);
  // A template that is set back renews its revision: a late deletion is refused then.
  for (const revision of old) await removeAsSeen(client, revisions, revision, signal);
}
