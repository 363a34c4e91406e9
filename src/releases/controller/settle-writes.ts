import type { KubeClient } from '#edge/kube/client.ts';
import type { Expectations } from '#loop/expectations.ts';
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
  readonly expectations: Pick<Expectations, 'expectDeletions' | 'deleted'>;
  /** Patches and deletions of pods. */
  readonly lostWrites: LostWrites;
  /** Deletions of HookRuns. */
  readonly lostDeletions: LostWrites;
  readonly disrupted: DisruptedPods;
};

/**
 * Changes the pods of a workload of which a patch or deletion was not confirmed, so that the server refuses it when it is
 * still on its way, and notes what became of them. To read them would not do: the write may arrive afterwards. Deletes
 * HookRuns again whose deletion was not confirmed.
 */
export async function settleWrites(deps: SettleDeps, key: string, signal: AbortSignal): Promise<void> {
  const { client, lostWrites, lostDeletions, disrupted } = deps;
  for (const pod of lostWrites.of(key)) {
    const annotations = { [givenUpAnnotation]: resourceVersionOf(pod) };
    const body = asSeen(pod, { metadata: { annotations } });
    const outcome = await client.patch(pods, objectKeyOf(pod), { type: 'strategic', body }, signal);
    if (outcome.type === 'ok') disrupted.refused(pod);
    const found = outcome.type === 'conflict' ? await client.get(pods, objectKeyOf(pod), signal) : outcome;
    if (found.type !== 'ok' && found.type !== 'not-found') throw new Refused(found);
    noteFound(deps, key, pod, found.type === 'ok' ? found.object : undefined);
    lostWrites.settled(key, pod);
  }
  for (const run of lostDeletions.of(key)) {
    await removeObject(client, hookRuns, run, signal);
    lostDeletions.settled(key, run);
  }
}

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
