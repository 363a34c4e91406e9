import type { KubeClient } from '#edge/kube/client.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Expectations } from '#loop/expectations.ts';
import { normal, warning } from '#loop/note.ts';
import { PodWriter, type PodOwner, type Trouble } from '#loop/owned/pod-writer.ts';
import { claims } from '#loop/owned/resources.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

type Deps = {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly expectations: Expectations;
};

/** Makes a pod after the claims that it mounts. */
export async function createWithClaims(
  deps: Deps,
  whose: PodOwner,
  { pod, claims: wanted }: { readonly pod: KubeObject; readonly claims: readonly KubeObject[] },
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  for (const claim of wanted) {
    const outcome = await deps.client.create(claims, claim, signal);
    if (outcome.type === 'exists') continue;
    if (outcome.type !== 'ok') {
      const message = `claim ${nameOf(claim)} was refused: ${outcome.message}`;
      deps.events.record(whose.owner, warning('FailedCreate', message));
      return { reason: 'FailedCreate', message };
    }
    deps.events.record(whose.owner, normal('SuccessfulCreate', `Created claim: ${nameOf(claim)}`));
  }
  return new PodWriter(deps).create(whose, [pod], signal);
}
