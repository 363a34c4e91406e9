import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import { formatTime, minutes, type Instant } from '#base/time.ts';
import {
  apiVersionOf,
  kindOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';

export type Note = {
  readonly type: 'Normal' | 'Warning';
  /** In one word, such as `SuccessfulCreate`. */
  readonly reason: string;
  readonly message: string;
  /** Part of the object, such as `spec.containers{web}`. */
  readonly fieldPath?: string | undefined;
  /** A user requested what happened. Other events about the object do not use up the limit of these. */
  readonly isRequested?: boolean | undefined;
};

export type EventSource = {
  /** The reporting component, such as `replicaset-controller`. */
  readonly component: string;
  /** Where it runs, such as the node of a kubelet. */
  readonly host?: string | undefined;
};

/** The same event about the same object: sent once and then counted. */
export type Series = {
  readonly about: JsonObject;
  readonly note: Note;
  readonly message: string;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
};

/** The number of different texts of one reason after which they are sent as one event. */
const mostTexts = 10;
const similarSpan = minutes(10);

/** The texts of one reason about one object, until none came for a while. */
export type Similar = { readonly texts: ReadonlySet<string>; readonly last: Instant };

export function similarAfter(known: Similar | undefined, text: string, now: Instant): Similar {
  const recent = known === undefined || now - known.last > similarSpan ? undefined : known;
  if (recent !== undefined && isTooVaried(recent)) return { texts: recent.texts, last: now };
  return { texts: new Set(recent?.texts).add(text), last: now };
}

export const isTooVaried = ({ texts }: Similar): boolean => texts.size >= mostTexts;

export const combined = (message: string): string => `(combined from similar events): ${message}`;

/** A reference to the object of an event. */
export function referenceOf(object: KubeObject, fieldPath: string | undefined): JsonObject {
  const reference: MutableJsonObject = {
    kind: kindOf(object),
    namespace: namespaceOf(object),
    name: nameOf(object),
    uid: uidOf(object),
    apiVersion: apiVersionOf(object),
    resourceVersion: resourceVersionOf(object),
  };
  if (fieldPath !== undefined) reference['fieldPath'] = fieldPath;
  return Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== ''));
}

/** The identity of an object: one that was created again is another. */
export const aboutKey = (object: KubeObject): string =>
  [apiVersionOf(object), kindOf(object), namespaceOf(object), nameOf(object), uidOf(object)].join('\n');

export const seriesAfter = (known: Series | undefined, told: Omit<Series, 'count' | 'first'>): Series => ({
  ...told,
  count: (known?.count ?? 0) + 1,
  first: known?.first ?? told.last,
});

/** The Event of a series. Events about cluster-scoped objects are in `default`. */
export function eventOf(series: Series, name: string, source: EventSource): KubeObject {
  const { component, host } = source;
  const namespace = series.about['namespace'] ?? 'default';
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: series.about,
    reason: series.note.reason,
    source: host === undefined ? { component } : { component, host },
    type: series.note.type,
    ...eventChange(series),
    firstTimestamp: formatTime(series.first),
    reportingComponent: component,
    reportingInstance: host ?? '',
  };
}

/** What every repetition changes. */
export const eventChange = ({ message, count, last }: Series): JsonObject => ({
  message,
  count,
  lastTimestamp: formatTime(last),
});

/** Unique among the events of an object, and no longer than a name may be. */
export function eventName(about: JsonObject, now: Instant, chance: number): string {
  const name = typeof about['name'] === 'string' ? about['name'] : '';
  const moment = BigInt(Math.floor(now)) * 1_000_000n + BigInt(Math.floor(chance * 1_000_000));
  return `${name.slice(0, 236).replace(/[.-]+$/, '')}.${moment.toString(16)}`;
}
