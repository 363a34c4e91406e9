import { textAt, type JsonObject } from '#base/json.ts';
import {
  labelsOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
  type WithMetadata,
} from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Decoder } from '#loop/decoder.ts';
import { pods } from '#loop/owned/resources.ts';
import { revisionLabel } from '#releases/model/well-known.ts';

export const events: Resource = { group: '', version: 'v1', plural: 'events', namespaced: true };

/** What is kept of a watched object: no more than is needed to find the pages that its change makes old. */
export type KnownObject = WithMetadata & {
  /** Of an Event: kind and name of the object that it is about. */
  readonly about?: string;
};

/** How the objects of a kind are watched. There is one watch for each kind and identity, so this is the same for all pages. */
export type WatchedKind<Decoded extends WithMetadata = KnownObject> = {
  readonly resource: Resource;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly content?: 'metadata';
  readonly decode: Decoder<Decoded>;
};

/** The part of the metadata by which informers compare objects and pages find theirs. */
export const watchedMeta = (object: WithMetadata): JsonObject => ({
  name: nameOf(object),
  namespace: namespaceOf(object),
  uid: uidOf(object),
  resourceVersion: resourceVersionOf(object),
  labels: labelsOf(object),
});

const metadataOnly: Decoder<KnownObject> = {
  name: 'metadata',
  of: (object) => ({ metadata: watchedMeta(object) }),
};

/** Pods of workloads have the label of their revision; the other pods of a cluster are not received. */
const podKind: WatchedKind = {
  resource: pods,
  labelSelector: revisionLabel,
  content: 'metadata',
  decode: metadataOnly,
};

/** Most Events of a cluster are about pods, and no page shows those. */
const eventKind: WatchedKind = {
  resource: events,
  fieldSelector: 'involvedObject.kind!=Pod',
  decode: {
    name: 'event',
    of: (event) => ({ metadata: watchedMeta(event), about: aboutOf(event) }),
  },
};

const aboutOf = (event: KubeObject): string =>
  about(textAt(event, 'involvedObject', 'kind') ?? '', textAt(event, 'involvedObject', 'name') ?? '');

/** As `WatchRequest` names the object of an Event. */
export const about = (kind: string, name: string): string => `${kind}/${name}`;

const isOf =
  ({ group, plural }: Resource) =>
  ({ resource }: Pick<WatchedKind, 'resource'>): boolean =>
    resource.group === group && resource.plural === plural;

/** How objects of a resource are watched. `rows`: those that the overview shows. */
export const watchedKind = (resource: Resource, rows: readonly WatchedKind[]): WatchedKind =>
  [podKind, eventKind, ...rows].find(isOf(resource)) ?? {
    resource,
    content: 'metadata',
    decode: metadataOnly,
  };
