import { backOff, type BackOffSpans } from '#base/back-off.ts';
import { metaOf, nameOf, namespaceOf, uidOf, type KubeObject, type WithMetadata } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { millis, seconds } from '#base/time.ts';
import type { MutableJsonObject } from '#base/json.ts';
import type { Delta } from '#loop/delta.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import { reasonOf } from '#loop/report.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import { keyOf } from '#loop/delta.ts';
import {
  crdWithoutSchemas,
  customResource,
  discoverResources,
  resourceName,
  type DiscoveredResource,
} from './discovered-resource.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';

/** What happened to the metadata of an object. */
export type MetadataChange = { readonly resource: DiscoveredResource; readonly delta: Delta };

export type MetadataInformersDeps = Omit<LoopDeps, 'tasks'> & { readonly informers: SharedInformers };

type Watched = {
  readonly resource: DiscoveredResource;
  readonly informer: Informer;
  /** Resolves when its objects are known, or it is watched no more. */
  readonly known: Promise<void>;
  readonly stop: () => void;
};

const crds: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const betweenDiscoveries: BackOffSpans = { first: millis(500), longest: seconds(30) };

/**
 * One informer per resource of the server, for controllers that concern objects of all kinds. Where another
 * controller has an informer of whole objects it is shared; of all other resources only the metadata is sent.
 * Built-in resources are discovered once; custom ones follow their CustomResourceDefinitions.
 */
export class MetadataInformers {
  readonly #deps: MetadataInformersDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #unwatched: DiscoveredResource[] = [];
  readonly #byKind = new Map<string, DiscoveredResource>();
  readonly #listeners = new Set<(change: MetadataChange) => void>();
  readonly #synced = Promise.withResolvers<void>();
  readonly #runs = new Set<Promise<void>>();
  /** Resources that the server did not know when they were listed. */
  readonly #missing = new Set<string>();
  /** Undefined until all definitions are known. */
  #definitions: Pick<Informer<WithMetadata>, 'get'> | undefined;

  constructor(deps: MetadataInformersDeps) {
    this.#deps = deps;
  }

  /** Resolves when the informers of all resources that were there at the start are synced. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Call it before `run`: earlier changes are not repeated. */
  subscribe(listener: (change: MetadataChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  resources(): readonly DiscoveredResource[] {
    return [...this.#unwatched, ...[...this.#watched.values()].map(({ resource }) => resource)];
  }

  /** The resource that serves a kind, in whatever version. */
  find(group: string, kind: string): DiscoveredResource | undefined {
    return this.#byKind.get(`${group}/${kind}`);
  }

  /** Follows the server until the signal aborts. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    const { informers } = this.#deps;
    for (const resource of await this.#discover(signal)) {
      if (isEvent(resource)) this.#unwatched.push(resource);
      else this.#watch(resource, signal);
    }
    const ended = whenAborted(signal);
    const definitions =
      informers.existing(crds) ?? informers.informer({ resource: crds, decode: crdWithoutSchemas });
    await Promise.race([definitions.synced, ended]);
    this.#definitions = definitions;
    const unsubscribe = definitions.subscribe(({ type, object }) => {
      const name = keyOf(object);
      const resource = type === 'deleted' ? undefined : customResource(object);
      if (resource === undefined) this.#unwatch(name);
      else this.#watch(resource, signal);
    });
    this.#dropMissing();
    void Promise.all([...this.#watched.values()].map(({ known }) => known)).then(() =>
      this.#synced.resolve(),
    );
    await ended;
    unsubscribe();
    await Promise.all(this.#runs);
  }

  async #discover(signal: AbortSignal): Promise<readonly DiscoveredResource[]> {
    const { client, clock, random, report } = this.#deps;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await discoverResources(client, signal);
      } catch (error) {
        if (signal.aborted) break;
        report('the resources of the server cannot be discovered', { why: reasonOf(error) }, 'warn');
        await clock
          .sleep(backOff(failures, random.next(), betweenDiscoveries), signal)
          .catch(() => undefined);
      }
    }
    return [];
  }

  #watch(resource: DiscoveredResource, signal: AbortSignal): void {
    const name = resourceName(resource);
    const before = this.#watched.get(name);
    if (before?.resource.version === resource.version) return;
    const watched = this.#start(resource, signal);
    this.#watched.set(name, watched);
    this.#byKind.set(`${resource.group}/${resource.kind}`, resource);
    if (before === undefined) return;
    before.stop();
    void this.#compare(before, watched);
  }

  /** The objects are the same in the other version, unless they were deleted in between. */
  async #compare(before: Watched, { resource, informer }: Watched): Promise<void> {
    await informer.synced;
    for (const object of before.informer.list()) {
      const now = informer.get(namespaceOf(object), nameOf(object));
      if (now === undefined || uidOf(now) !== uidOf(object))
        this.#publish(resource, { type: 'deleted', object });
    }
  }

  #start(resource: DiscoveredResource, signal: AbortSignal): Watched {
    const { informers, client, clock, random, report } = this.#deps;
    const listener = (delta: Delta): void => this.#publish(resource, delta);
    const ended = new AbortController();
    const watchedBy = (informer: Informer): Watched => {
      const unsubscribe = informer.subscribe(listener);
      const stop = (): void => {
        unsubscribe();
        ended.abort();
      };
      return { resource, informer, known: Promise.race([informer.synced, whenAborted(ended.signal)]), stop };
    };
    const shared = informers.existing(resource);
    if (shared !== undefined) return watchedBy(shared);
    const informer = createInformer({
      client,
      clock,
      random,
      report,
      resource,
      content: 'metadata',
      decode: ownership,
      onMissing: () => this.#noteMissing(resourceName(resource)),
    });
    const watched = watchedBy(informer);
    const run = informer.run(AbortSignal.any([signal, ended.signal]));
    this.#runs.add(run);
    void run.then(() => this.#runs.delete(run));
    return watched;
  }

  #noteMissing(name: string): void {
    this.#missing.add(name);
    this.#dropMissing();
  }

  /** A definition may go after its resource was discovered, and before it was seen: nobody tells of its end. */
  #dropMissing(): void {
    if (this.#definitions === undefined) return;
    for (const name of this.#missing) if (this.#definitions.get('', name) === undefined) this.#unwatch(name);
    this.#missing.clear();
  }

  /** Without its definition, no object of a resource is left. */
  #unwatch(name: string): void {
    const watched = this.#watched.get(name);
    if (watched === undefined) return;
    const { resource, informer } = watched;
    this.#watched.delete(name);
    this.#byKind.delete(`${resource.group}/${resource.kind}`);
    watched.stop();
    for (const object of informer.list()) this.#publish(resource, { type: 'deleted', object });
  }

  #publish(resource: DiscoveredResource, delta: Delta): void {
    for (const listener of this.#listeners) listener({ resource, delta });
  }
}

/** Events are many, have no owners and expire by themselves. */
const isEvent = ({ group, plural }: Resource): boolean => group === '' && plural === 'events';

const kept = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'deletionTimestamp',
  'finalizers',
  'ownerReferences',
] as const;

/** What decides whether an object stays: its identity, its owners and its deletion. */
const ownership = {
  name: 'ownership',
  of(object: KubeObject): KubeObject {
    const meta = metaOf(object);
    const lean: MutableJsonObject = {};
    for (const field of kept) {
      const value = meta[field];
      if (value !== undefined) lean[field] = value;
    }
    return { metadata: lean };
  },
};
