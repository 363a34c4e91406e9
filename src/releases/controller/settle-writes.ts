import type { KubeClient } from '#edge/kube/client.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import { objectKeyOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { givenUpAnnotation } from '#releases/model/well-known.ts';
import { asSeen } from './apply-action.ts';
import type { DisruptedPods } from './disrupted-pods.ts';
import type { LostWrites } from './lost-writes.ts';

export type SettleDeps = {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'remove'>;
  readonly newest: Newest;
  /** Patches of pods. */
  readonly lostWrites: LostWrites;
  /** Deletions of HookRuns. */
  readonly lostDeletions: LostWrites;
  readonly disrupted: DisruptedPods;
};

/**
 * Changes the pods of a workload of which a patch was not confirmed, so that the server refuses it when it is still on its
 * way, and notes what became of them. To read them would not do: the patch may arrive afterwards. Deletes HookRuns again
 * whose deletion was not confirmed.
 */
export async function settleWrites(
  { client, newest, lostWrites, lostDeletions, disrupted }: SettleDeps,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  for (const pod of lostWrites.of(key)) {
    const annotations = { [givenUpAnnotation]: resourceVersionOf(pod) };
    const body = asSeen(pod, { metadata: { annotations } });
    const outcome = await client.patch(pods, objectKeyOf(pod), { type: 'strategic', body }, signal);
    if (outcome.type === 'ok') disrupted.refused(pod);
    const found = outcome.type === 'conflict' ? await client.get(pods, objectKeyOf(pod), signal) : outcome;
    if (found.type === 'ok') noteSame(newest, pod, found.object);
    else if (found.type !== 'not-found') throw new Refused(found);
    lostWrites.settled(key, pod);
  }
  for (const run of lostDeletions.of(key)) {
    await removeObject(client, hookRuns, run, signal);
    lostDeletions.settled(key, run);
  }
}

/** Another pod of the same name has taken the place of one that is gone. */
function noteSame(newest: Newest, pod: KubeObject, found: KubeObject): void {
  if (uidOf(found) === uidOf(pod)) newest.note(found);
}
