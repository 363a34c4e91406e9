import type { Transport } from '#edge/kube/transport.ts';
import type { Clock } from '#base/time.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { SeenChange } from '../support/test-server.ts';
import { traffic } from './traffic.ts';

/**
 * The objects of some resources as the server has them, followed by watches. Those who look at changes get them in the
 * order of their versions, which is that of the store, when nothing is under way.
 */
export class Mirror {
  readonly #tables = new Map<string, Table>();
  /** The objects as they were after the change that is being shown. */
  readonly #shown = new Map<string, Table>();
  readonly #lookers = new Set<(changes: readonly SeenChange[]) => void>();
  readonly #stop = new AbortController();
  readonly #client: KubeClient;
  #fresh: SeenChange[] = [];
  #problem: unknown;
  #isShowing = false;
  #running: readonly Promise<void>[] = [];
  #unsubscribe = (): void => undefined;

  constructor(transport: Transport, clock: Clock) {
    this.#client = createClient({ transport, clock, userAgent: 'boathook-story' });
  }

  async start(resources: readonly Resource[]): Promise<void> {
    this.#unsubscribe = traffic.onIdle(() => this.#show());
    const versions = await Promise.all(
      resources.map(async (each) => [each, await this.#list(each)] as const),
    );
    this.#running = versions.map(([resource, version]) =>
      this.#follow(resource, version).catch((error: unknown) => void (this.#problem ??= error)),
    );
  }

  stored(resource: string): readonly KubeObject[] {
    if (this.#problem !== undefined) throw this.#problem;
    const tables = this.#isShowing ? this.#shown : this.#tables;
    return [...(tables.get(resource)?.values() ?? [])].toSorted((left, right) =>
      keyOf(left) < keyOf(right) ? -1 : 1,
    );
  }

  onChange(look: (changes: readonly SeenChange[]) => void): () => void {
    this.#lookers.add(look);
    return () => void this.#lookers.delete(look);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort(new Error('the story has ended'));
    await Promise.all(this.#running);
  }

  async #list(resource: Resource): Promise<string> {
    const listed = await this.#client.list(resource, {}, this.#stop.signal);
    if (listed.type !== 'ok') throw new Error(`${resource.plural}: ${listed.message}`);
    for (const tables of [this.#tables, this.#shown])
      tables.set(nameOf(resource), new Map(listed.items.map((item) => [uidOf(item), item])));
    return listed.resourceVersion;
  }

  async #follow(resource: Resource, from: string): Promise<void> {
    const { signal } = this.#stop;
    for (let resourceVersion = from; !signal.aborted;) {
      for await (const event of this.#client.watch(resource, { resourceVersion }, signal)) {
        if (!('object' in event)) throw new Error(`the watch of ${resource.plural} ended: ${event.message}`);
        resourceVersion = resourceVersionOf(event.object);
        if (event.type !== 'BOOKMARK') this.#see(nameOf(resource), event.type, event.object);
      }
    }
  }

  #see(resource: string, type: SeenChange['type'], object: KubeObject): void {
    const change = { type, resource, object };
    keep(this.#tables, change);
    this.#fresh.push(change);
  }

  #show(): void {
    if (this.#fresh.length === 0) return;
    const changes = this.#fresh.toSorted((left, right) => versionOf(left) - versionOf(right));
    this.#fresh = [];
    this.#isShowing = true;
    try {
      for (const change of changes) {
        keep(this.#shown, change);
        for (const look of this.#lookers) look([change]);
      }
    } finally {
      this.#isShowing = false;
    }
  }
}

type Table = Map<string, KubeObject>;

function keep(tables: ReadonlyMap<string, Table>, { type, resource, object }: SeenChange): void {
  const table = tables.get(resource);
  if (type === 'DELETED') table?.delete(uidOf(object));
  else table?.set(uidOf(object), object);
}

const nameOf = ({ group, plural }: Resource): string => `${group}/${plural}`;
const versionOf = ({ object }: SeenChange): number => Number(resourceVersionOf(object));
const keyOf = ({ metadata }: KubeObject): string => {
  const { namespace = '', name = '' } = metadata as { namespace?: string; name?: string };
  return `${namespace}/${name}`;
};
