import { millis, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { isDeleting, objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { expiryOf, isFinished } from '#hooks/decide/run-object.ts';

/** Deletes a finished run whose ttlAfterFinished has passed, or wakes up when it has. */
export async function removeExpired(
  { client, clock }: { readonly client: Pick<KubeClient, 'remove'>; readonly clock: Clock },
  run: KubeObject,
  signal: AbortSignal,
): Promise<Next> {
  const expiry = expiryOf(run);
  if (expiry === undefined || isDeleting(run) || !isFinished(run)) return settled;
  const left = expiry - clock.now();
  if (left > 0) return wake(millis(left));
  const key = objectKeyOf(run);
  const options = { propagationPolicy: 'Background', preconditions: { uid: uidOf(run) } } as const;
  const outcome = await client.remove(hookRuns, key, signal, options);
  if (outcome.type === 'ok' || outcome.type === 'not-found' || outcome.type === 'conflict') return settled;
  throw new Error(`HookRun ${key.namespace}/${key.name} could not be removed: ${outcome.message}`);
}
