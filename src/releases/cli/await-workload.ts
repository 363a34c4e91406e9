import { later, millis, seconds, type Millis } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { mustBe } from '#command/open-cluster.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { objectKeyOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { ActingIn } from './acting-in.ts';
import type { FoundWorkload } from './find-workload.ts';

type Look<Seen> = (workload: KubeObject) => Seen | undefined;

/**
 * Follows a workload until `look` returns something; undefined when that has not happened after `patience`. A watch that
 * breaks is opened again.
 */
export async function awaitWorkload<Seen>(
  cluster: ActingIn,
  found: FoundWorkload,
  look: Look<Seen>,
  patience: Millis,
): Promise<Seen | undefined> {
  const { clock, whole } = cluster;
  const deadline = later(clock.now(), patience);
  const late = new AbortController();
  const cancel = clock.after(patience, () => late.abort());
  let current = found.workload;
  try {
    for (;;) {
      const seen = look(current);
      if (seen !== undefined || clock.now() >= deadline) return seen;
      try {
        current = await watchOn(cluster, { ...found, workload: current }, look, late.signal);
      } catch (error) {
        whole.throwIfAborted();
        if (late.signal.aborted) return undefined;
        if (!(error instanceof Unavailable)) throw error;
        await clock.sleep(millis(Math.min(seconds(1), Math.max(0, deadline - clock.now()))), whole);
      }
    }
  } finally {
    cancel();
  }
}

/** The first state in which `look` sees something; when the watch ends before, the state as it is then. */
async function watchOn<Seen>(
  { client, signal, whole }: ActingIn,
  { kind, workload, title }: FoundWorkload,
  look: Look<Seen>,
  late: AbortSignal,
): Promise<KubeObject> {
  const key = objectKeyOf(workload);
  const options = {
    namespace: key.namespace,
    fieldSelector: `metadata.name=${key.name}`,
    resourceVersion: resourceVersionOf(workload),
  };
  for await (const event of client.watch(kind.resource, options, AbortSignal.any([whole, late]))) {
    if (event.type === 'DELETED') throw new ExitError(1, `${title} was deleted`);
    if (event.type === 'BOOKMARK') continue;
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') break;
    if (look(event.object) !== undefined) return event.object;
  }
  return mustBe(await client.get(kind.resource, key, signal()), title);
}
