import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import { isOlder } from '#loop/versions.ts';
import { nameOf, objectKeyOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { givenUpAnnotation } from '#releases/model/well-known.ts';
import { asSeen } from './apply-action.ts';
import type { DisruptedPods } from './disrupted-pods.ts';
import type { LostPods } from './lost-pods.ts';
import type { LostWrites } from './lost-writes.ts';
import { sideBySide } from './side-by-side.ts';

export type SettleDeps = {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'remove'>;
  /** The informer of pods. */
  readonly informer: Pick<Informer, 'get' | 'position'>;
  readonly newest: Newest;
  readonly expectations: Pick<Expectations, 'expectCreations' | 'created' | 'expectDeletions' | 'deleted'>;
  readonly lostPods: LostPods;
  /** Patches and deletions of pods. */
  readonly lostPodWrites: LostWrites;
  readonly lostRunDeletions: LostWrites;
  readonly disrupted: DisruptedPods;
};

/** The server refuses to patch a pod of which a write was lost. */
export type PatchRefusal = { readonly reason: 'FailedUpdate'; readonly message: string };

/**
 * Finds out what became of the writes of a workload that were not confirmed: changes pods of which a patch or deletion was
 * not confirmed, so that the server refuses it when it is still on its way; looks for pods whose creation was not; deletes
 * HookRuns again. To read the pods would not do: the write may arrive afterwards. Returns the first refusal of a patch.
 */
export async function settleWrites(
  deps: SettleDeps,
  key: string,
  signal: AbortSignal,
): Promise<PatchRefusal | undefined> {
  await sideBySide(deps.lostRunDeletions.of(key), (run) => removeRunAgain(deps, key, run, signal));
  await sideBySide(deps.lostPods.unsought(key), (pod) => seekPod(deps, key, pod, signal));
  const lost = deps.lostPodWrites.of(key);
  const refusals = await sideBySide(lost, (pod) => settlePod(deps, key, pod, signal));
  return refusals.find((refusal) => refusal !== undefined);
}

/** A HookRun that may not be deleted is still there, and is a part of the next decision. */
async function removeRunAgain(
  { client, newest, lostRunDeletions }: SettleDeps,
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
  lostRunDeletions.settled(key, run);
}

/** A pod that exists counts as soon as the informer shows it, and until then the number of pods is not known. */
async function seekPod(
  { client, informer, expectations, lostPods }: SettleDeps,
  key: string,
  pod: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const found = await client.get(pods, objectKeyOf(pod), signal);
  if (found.type !== 'ok' && found.type !== 'not-found') throw new Refused(found);
  lostPods.sought(key, pod);
  if (found.type !== 'ok') return;
  const { namespace, name } = objectKeyOf(pod);
  const isShown = informer.get(namespace, name) !== undefined;
  if (isShown || !isOlder(informer.position(namespace), resourceVersionOf(found.object))) return;
  expectations.expectCreations(key, [name]);
  expectations.created(key, found.object);
}

async function settlePod(
  deps: SettleDeps,
  key: string,
  pod: KubeObject,
  signal: AbortSignal,
): Promise<PatchRefusal | undefined> {
  const { client, lostPodWrites, disrupted } = deps;
  const annotations = { [givenUpAnnotation]: resourceVersionOf(pod) };
  const body = asSeen(pod, { metadata: { annotations } });
  const outcome = await client.patch(pods, objectKeyOf(pod), { type: 'strategic', body }, signal);
  if (outcome.type === 'ok') disrupted.refused(pod);
  const found = outcome.type === 'conflict' ? await client.get(pods, objectKeyOf(pod), signal) : outcome;
  if (found.type !== 'ok' && found.type !== 'not-found') return cannotPatch(pod, found);
  noteFound(deps, key, pod, found.type === 'ok' ? found.object : undefined);
  lostPodWrites.settled(key, pod);
  return undefined;
}

const cannotPatch = (pod: KubeObject, { message }: Refusal): PatchRefusal => ({
  reason: 'FailedUpdate',
  message: `The answer to a write of pod ${nameOf(pod)} was lost, and the API server refuses to patch the pod: ${message}. The controller continues when it may patch it: look at admission webhooks, policies and RBAC.`,
});

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
