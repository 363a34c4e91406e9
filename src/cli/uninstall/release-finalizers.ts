import { listAt } from '#base/json.ts';
import { refusedExit } from '#command/open-cluster.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { nameOf, objectKeyOf, resourceVersionOf } from '#kube/object.ts';
import type { FinalizedObject } from './traces.ts';

const attempts = 5;

/** Removes our finalizers from an object; those of others stay. */
export async function releaseFinalizers(
  client: Pick<KubeClient, 'get' | 'patch'>,
  { resource, object, finalizers }: FinalizedObject,
  signal: AbortSignal,
): Promise<void> {
  const what = `${resource.plural} ${nameOf(object)}`;
  let seen = object;
  for (let attempt = 1; ; attempt += 1) {
    const kept = listAt(seen, 'metadata', 'finalizers').filter(
      (each) => !finalizers.some((own) => own === each),
    );
    const body = { metadata: { resourceVersion: resourceVersionOf(seen), finalizers: kept } };
    const patched = await client.patch(resource, objectKeyOf(seen), { type: 'merge', body }, signal);
    if (patched.type === 'ok' || patched.type === 'not-found') return;
    if (patched.type !== 'conflict' || attempt === attempts) throw refusedExit(patched, what);
    const fresh = await client.get(resource, objectKeyOf(seen), signal);
    if (fresh.type === 'not-found') return;
    if (fresh.type !== 'ok') throw refusedExit(fresh, what);
    seen = fresh.object;
  }
}
