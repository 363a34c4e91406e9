import type { KubeClient } from '#edge/kube/client.ts';
import type { Listed } from '#edge/kube/list.ts';
import type { Resource } from '#kube/resource.ts';
import { events } from './watched-kind.ts';

/**
 * Lists of Events from memory while the watch reports no change of them. A server looks at every Event of a namespace
 * for such a list, and pods change far more often than the Events that a page shows.
 */
export class KeptEvents {
  /** Makes all other requests as they are. */
  readonly client: KubeClient;
  #kept: { readonly selection: string; readonly listed: Listed } | undefined;
  /** Counts changes: a list that was under way during one is not kept. */
  #changes = 0;

  constructor(client: KubeClient) {
    this.client = {
      ...client,
      list: (resource, selection, signal) =>
        isEvents(resource)
          ? this.#list(JSON.stringify(selection), () => client.list(resource, selection, signal))
          : client.list(resource, selection, signal),
    };
  }

  /** Objects of this kind have changed; undefined: any may have. */
  changed(resource: Resource | undefined): void {
    if (resource !== undefined && !isEvents(resource)) return;
    this.#changes += 1;
    this.#kept = undefined;
  }

  async #list(selection: string, ask: () => ReturnType<KubeClient['list']>): ReturnType<KubeClient['list']> {
    if (this.#kept?.selection === selection) return this.#kept.listed;
    const changes = this.#changes;
    const listed = await ask();
    if (listed.type === 'ok' && changes === this.#changes) this.#kept = { selection, listed };
    return listed;
  }
}

const isEvents = ({ group, plural }: Resource): boolean => group === events.group && plural === events.plural;
