import type { Millis } from '#base/time.ts';
import { snapshotOf, type HookRunSnapshot } from '#hooks/decide/snapshot.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import { splitKey } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';

/** Reads a HookRun; undefined when there is none. */
export type HookRunReader = (
  at: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
) => Promise<KubeObject | undefined>;

/** Reads from the cache of a controller. */
export const informerReader =
  (informer: Pick<Informer, 'get'>): HookRunReader =>
  ({ namespace, name }) =>
    Promise.resolve(informer.get(namespace, name));

/** Reads with a request, for commands. */
export const requestReader =
  (client: Pick<KubeClient, 'get'>): HookRunReader =>
  async (at, signal) => {
    const found = await client.get(hookRuns, at, signal);
    if (found.type === 'ok') return found.object;
    if (found.type === 'not-found') return undefined;
    throw new Error(`HookRun ${at.namespace}/${at.name} cannot be read: ${found.message}`);
  };

/** What `decideRun` decides from. Reads once and writes nothing. */
export async function takeSnapshot(
  read: HookRunReader,
  key: string,
  leastInterval: Millis,
  signal: AbortSignal,
): Promise<HookRunSnapshot | undefined> {
  const object = await read(splitKey(key), signal);
  return object === undefined ? undefined : snapshotOf(object, leastInterval);
}
