import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import { isOlder } from '#loop/versions.ts';
import {
  isSameVersion,
  nameOf,
  objectKeyOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { givenUpAnnotation } from '#releases/model/well-known.ts';
import { asSeen } from './apply-action.ts';
import type { DisruptedPods } from './disrupted-pods.ts';
import type { LostRequests } from './lost-requests.ts';
import { sideBySide } from './side-by-side.ts';

export type SettleDeps = {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'remove'>;
  /** The informer of pods. */
  readonly informer: Pick<Informer, 'get' | 'position'>;
  readonly newest: Newest;
  readonly expectations: Pick<Expectations, 'expectCreations' | 'created' | 'expectDeletions' | 'deleted'>;
  readonly lost: LostRequests;
  readonly disrupted: DisruptedPods;
};

/**
 * Finds out what became of the writes of a workload that were not confirmed: changes pods of which a patch or deletion was
 * not confirmed, so that the server refuses it when it is still on its way; looks for pods whose creation was not; deletes
 * HookRuns again. To read the pods would not do: the write may arrive afterwards.
 */
export async function settleWrites(deps: SettleDeps, key: string, signal: AbortSignal): Promise<void> {
  const { lost } = deps;
  await sideBySide(lost.runDeletions.of(key), (run) => removeRunAgain(deps, key, run, signal));
  await sideBySide(lost.pods.unsought(key), (pod) => seekPod(deps, key, pod, signal));
  await sideBySide(lost.podWrites.of(key), (pod) => settlePod(deps, key, pod, signal));
}

/** A HookRun that may not be deleted is still there, and is a part of the next decision. */
async function removeRunAgain(
  { client, newest, lost }: SettleDeps,
  key: string,
  run: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await removeObject(client, hookRuns, run, signal);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    newest.forget(uidOf(run));
  }
  lost.runDeletions.settled(key, run);
}

/** A pod that exists counts as soon as the informer shows it, and until then the number of pods is not known. */
async function seekPod(
  { client, informer, expectations, lost }: SettleDeps,
  key: string,
  pod: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name } = objectKeyOf(pod);
  const found = await client.get(pods, { namespace, name }, signal);
  if (found.type !== 'ok' && found.type !== 'not-found') throw refusedAbout(pod, found);
  if (found.type === 'ok' && controllerOf(found.object)?.uid !== controllerOf(pod)?.uid) {
    lost.pods.drop(key, pod);
    return;
  }
  lost.pods.noteSought(key, pod);
  if (found.type !== 'ok') return;
  const isShown = informer.get(namespace, name) !== undefined;
  if (isShown || !isOlder(informer.position(namespace), resourceVersionOf(found.object))) return;
  expectations.expectCreations(key, [name]);
  expectations.created(key, found.object);
}

async function settlePod(deps: SettleDeps, key: string, pod: KubeObject, signal: AbortSignal): Promise<void> {
  const { client, lost, disrupted } = deps;
  const annotations = { [givenUpAnnotation]: resourceVersionOf(pod) };
  const body = asSeen(pod, { metadata: { annotations } });
  const outcome = await client.patch(pods, objectKeyOf(pod), { type: 'strategic', body }, signal);
  if (outcome.type === 'ok') disrupted.refused(pod);
  const found = outcome.type === 'conflict' ? await client.get(pods, objectKeyOf(pod), signal) : outcome;
  if (found.type !== 'ok' && found.type !== 'not-found') throw refusedAbout(pod, found);
  const after = found.type === 'ok' ? found.object : undefined;
  // A conflict that is none of the version, such as that of an admission webhook.
  if (outcome.type === 'conflict' && after !== undefined && isSameVersion(after, pod))
    throw refusedAbout(pod, { ...outcome, type: 'refused' });
  noteFound(deps, key, pod, after);
  lost.podWrites.settled(key, pod);
}

const refusedAbout = (pod: KubeObject, refusal: Refusal): Refused =>
  new Refused({ ...refusal, message: `Pod ${nameOf(pod)}: ${refusal.message}` });

/** A pod that is gone, or whose place another one of its name has taken, counts no more: the informer will show it. */
function noteFound(
  { newest, expectations }: SettleDeps,
  key: string,
  pod: KubeObject,
  found: KubeObject | undefined,
): void {
  if (found !== undefined && uidOf(found) === uidOf(pod)) {
    newest.note(found);
    return;
  }
  expectations.expectDeletions(key, [uidOf(pod)]);
  expectations.deleted(key, pod);
}
