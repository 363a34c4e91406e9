import type { KubeClient } from '#edge/kube/client.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Expectations } from '#loop/expectations.ts';
import { normal, warning } from '#loop/note.ts';
import { PodWriter, type PodOwner, type PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { claims } from '#loop/owned/resources.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { LostRequests } from './lost-requests.ts';
import { idOf } from './pod-ids.ts';

type Deps = {
  readonly client: KubeClient;
  readonly events: EventRecorder;
};

/** Creates the claims of a pod and then the pod. */
export async function createWithClaims(
  deps: Deps & { readonly expectations: Expectations; readonly lost: LostRequests },
  whose: PodOwner,
  { pod, claims: wanted }: { readonly pod: KubeObject; readonly claims: readonly KubeObject[] },
  signal: AbortSignal,
): Promise<PodWriteFailure | undefined> {
  for (const claim of wanted) {
    const trouble = await createClaim(deps, whose.owner, claim, signal);
    if (trouble !== undefined) return trouble;
  }
  const unconfirmed = (lost: KubeObject): void => deps.lost.pods.note(whose.key, lost);
  const mayExist = (made: KubeObject): boolean => deps.lost.pods.has(whose.key, idOf(made));
  return new PodWriter({ ...deps, unconfirmed, mayExist }).create(whose, [pod], signal);
}

/** An existing claim is no error. */
export async function createClaim(
  { client, events }: Deps,
  workload: KubeObject,
  claim: KubeObject,
  signal: AbortSignal,
): Promise<PodWriteFailure | undefined> {
  const outcome = await client.create(claims, claim, signal);
  if (outcome.type === 'exists') return undefined;
  if (outcome.type === 'ok') {
    events.record(workload, normal('SuccessfulCreate', `Created claim: ${nameOf(claim)}`));
    return undefined;
  }
  const message = `claim ${nameOf(claim)} was refused: ${outcome.message}`;
  events.record(workload, warning('FailedCreate', message));
  return { reason: 'FailedCreate', message };
}
