import type { KubeClient } from '#edge/kube/client.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { normal, warning } from '#loop/note.ts';
import type { Note } from '#loop/note.ts';
import { PodsRefused } from '#loop/owned/pod-writer.ts';
import { claims, pods } from '#loop/owned/resources.ts';
import { isTerminating, Refused, removeObject, writeObject } from '#loop/owned/write.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { StatefulAction } from './decide.ts';

export type PerformDeps = {
  readonly client: Pick<KubeClient, 'create' | 'update' | 'updateStatus' | 'remove'>;
  readonly events: Pick<EventRecorder, 'record'>;
};

/** False: a claim has not got its owner, and no pod may go before it has. */
export async function perform(
  deps: PerformDeps,
  set: KubeObject,
  action: StatefulAction,
  signal: AbortSignal,
): Promise<boolean> {
  const { client } = deps;
  switch (action.type) {
    case 'create':
      await createClaims(deps, set, { pod: nameOf(action.pod), claims: action.claims }, signal);
      await createPod(deps, set, action.pod, signal);
      return true;
    case 'create claims':
      await createClaims(deps, set, action, signal);
      return true;
    case 'delete':
      await deletePod(deps, set, action, signal);
      return true;
    case 'relabel':
      await writeObject(client, pods, action.pod, signal);
      return true;
    case 'report':
      deps.events.record(set, action.note);
      return true;
    case 'update claim':
      return writeObject(client, claims, action.claim, signal);
  }
}

async function createPod(
  { client, events }: PerformDeps,
  set: KubeObject,
  pod: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await client.create(pods, pod, signal);
  const what = `create Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`;
  if (outcome.type === 'ok') {
    events.record(set, normal('SuccessfulCreate', `${what} successful`));
    return;
  }
  // Our own pod that the cache does not show yet, or a pod of another owner, whose deletion causes no event here.
  if (outcome.type === 'exists') throw new PodsRefused(outcome);
  if (!isTerminating(outcome)) {
    events.record(set, warning('FailedCreate', `${what} failed error: ${outcome.message}`));
  }
  throw new Refused(outcome);
}

async function createClaims(
  { client, events }: PerformDeps,
  set: KubeObject,
  wanted: { readonly pod: string; readonly claims: readonly KubeObject[] },
  signal: AbortSignal,
): Promise<void> {
  for (const claim of wanted.claims) {
    const outcome = await client.create(claims, claim, signal);
    const what = `create Claim ${nameOf(claim)} Pod ${wanted.pod} in StatefulSet ${nameOf(set)}`;
    if (outcome.type === 'ok') events.record(set, normal('SuccessfulCreate', `${what} success`));
    else if (outcome.type !== 'exists') {
      if (!isTerminating(outcome)) {
        events.record(set, warning('FailedCreate', `${what} failed error: ${outcome.message}`));
      }
      throw new Refused(outcome);
    }
  }
}

async function deletePod(
  { client, events }: PerformDeps,
  set: KubeObject,
  { pod, note }: { readonly pod: KubeObject; readonly note: Note | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (note !== undefined) events.record(set, note);
  const what = `delete Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`;
  try {
    const result = await removeObject(client, pods, pod, signal);
    if (result === 'removed') events.record(set, normal('SuccessfulDelete', `${what} successful`));
  } catch (error) {
    if (error instanceof Refused) {
      events.record(set, warning('FailedDelete', `${what} failed error: ${error.message}`));
    }
    throw error;
  }
}
