import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** A resource as a controller addresses it. */
export type ResourceRef = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
};

/** What happened to one object. `object` of a deletion is its last state. */
export type ObjectChange = {
  readonly resource: ResourceRef;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
};

export type Answer = { readonly status: number; readonly body: JsonObject };

/**
 * The cluster as the built-in controllers see it. Changes arrive in order, each once, right after they became
 * durable; writes go through the API like anybody else's.
 */
export type Cluster = {
  /** One entry per stored resource, in its preferred version, custom resources included. */
  resources(): readonly ResourceRef[];
  /** Current objects of a resource, of one namespace or all. */
  list(resource: ResourceRef, namespace?: string): readonly KubeObject[];
  get(resource: ResourceRef, namespace: string, name: string): KubeObject | undefined;
  subscribe(listener: (changes: readonly ObjectChange[]) => void): () => void;
  /** Path and query as on the wire; `contentType` is JSON unless given (patches). */
  send(request: {
    readonly method: string;
    readonly path: string;
    readonly query?: string;
    readonly contentType?: string;
    readonly body?: JsonObject | readonly JsonObject[];
    readonly userAgent: string;
    readonly signal: AbortSignal;
  }): Promise<Answer>;
};
