import { seconds, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Page, Selection } from '#edge/kube/list.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';
import { keyOf } from './delta.ts';
import { startSilenceTimeout, type SilenceTimeout } from './silence-timeout.ts';

type ListDeps = Selection & {
  readonly client: Pick<KubeClient, 'pages' | 'list'>;
  readonly clock: Clock;
  readonly resource: Resource;
};

/** What is kept of a listed object; undefined: nothing. */
export type Keep<Decoded> = (object: KubeObject) => Decoded | undefined;

export type ListedObjects<Decoded> = {
  readonly type: 'ok';
  readonly objects: ReadonlyMap<string, Decoded>;
  readonly resourceVersion: string;
};

/** A page that takes longer than this will not come. */
const pageTimeout = seconds(60);

/** All objects by key. Each page is decoded as it comes, so that a second whole copy is never held. */
export async function listObjects<Decoded>(
  deps: ListDeps,
  { inPages, keep }: { readonly inPages: boolean; readonly keep: Keep<Decoded> },
  signal: AbortSignal,
): Promise<ListedObjects<Decoded> | Refusal> {
  const message = `The list of ${deps.resource.plural} returned no data for ${pageTimeout / 1000} s.`;
  const timeout = startSilenceTimeout(deps.clock, pageTimeout, signal, message);
  const objects = new Map<string, Decoded>();
  let resourceVersion = '';
  try {
    for await (const page of inPages ? pagesOf(deps, timeout) : wholeOf(deps, timeout)) {
      timeout.received();
      if (page.type !== 'page') return page;
      for (const item of page.items) {
        const kept = keep(item);
        if (kept !== undefined) objects.set(keyOf(item), kept);
      }
      resourceVersion = page.resourceVersion;
    }
  } finally {
    timeout.stop();
  }
  return { type: 'ok', objects, resourceVersion };
}

export const selectionOf = ({ namespace, labelSelector, fieldSelector, content }: Selection): Selection => ({
  namespace,
  labelSelector,
  fieldSelector,
  content,
});

const pagesOf = (deps: ListDeps, { signal }: SilenceTimeout): AsyncIterable<Page | Refusal> =>
  deps.client.pages(deps.resource, selectionOf(deps), signal);

/** Pages may grow too old while they are read; a list in one piece cannot. */
async function* wholeOf(deps: ListDeps, { signal }: SilenceTimeout): AsyncGenerator<Page | Refusal> {
  const listed = await deps.client.list(deps.resource, selectionOf(deps), signal);
  yield listed.type === 'ok' ? { ...listed, type: 'page' } : listed;
}
