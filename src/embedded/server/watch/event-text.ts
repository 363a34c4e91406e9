import type { Instant } from '#base/time.ts';
import type { JsonObject } from '#base/json.ts';
import type { WatchedObject } from '#kube/http.ts';
import { withMeta, type KubeObject } from '#kube/object.ts';
import { columnsText, partialText, tableRow, tableText, view } from '#embedded/server/request/encode.ts';
import type { Format } from '#embedded/server/request/negotiate.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Stored, StoredChange } from '#embedded/server/store/stored.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The format of one watcher's events. */
export type EventForm = {
  readonly resource: ApiResource;
  readonly format: Format;
  readonly includeObject: 'None' | 'Metadata' | 'Object';
};

const line = (type: string, object: string): string => `{"type":"${type}","object":${object}}\n`;

/** One event of an object as a line. Table rows carry the columns only in the first event of a stream. */
export function eventLine(form: EventForm, type: EventType, stored: Stored, table: TableMoment): string {
  const { resource, format } = form;
  if (format.type === 'table') {
    const meta = `{"resourceVersion":"${stored.revision}"}`;
    const columns = table.first ? columnsText(resource) : 'null';
    const row = tableRow(resource, stored, { includeObject: form.includeObject, now: table.now });
    return line(type, tableText(format.version, meta, columns, row));
  }
  const shown = view(resource, stored);
  return line(type, format.type === 'partial' ? partialText(shown, format.version) : shown.json);
}

export type TableMoment = { readonly first: boolean; readonly now: Instant };

/** The same, encoded once for all watchers with the same format. */
export function sharedLine(
  form: EventForm,
  type: EventType,
  change: StoredChange,
  table: TableMoment,
): string {
  const { resource, format } = form;
  const stored = reported(type, change);
  if (format.type === 'table') return eventLine(form, type, stored, table);
  const version = format.type === 'partial' ? format.version : '';
  const key = `${type} ${format.type} ${version} ${resource.apiVersion}`;
  const known = change.lines?.get(key);
  if (known !== undefined) return known;
  const text = eventLine(form, type, stored, table);
  change.lines?.set(key, text);
  return text;
}

/** What a reader in this process receives instead of the text. Tables are text only. */
export function eventObject(form: EventForm, type: EventType, stored: Stored): WatchedObject {
  const { resource, format } = form;
  const { object } = view(resource, stored);
  return { type, object: format.type === 'partial' ? partialObject(object, format.version) : object };
}

const partialObject = ({ metadata = {} }: KubeObject, version: string): KubeObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
});

/** The object of an event at the revision of the change. */
export const changedObject = (form: EventForm, type: EventType, change: StoredChange): WatchedObject =>
  eventObject(form, type, reported(type, change));

const reported = (type: EventType, change: StoredChange): Stored =>
  type === 'DELETED' && change.type !== 'DELETED' ? leaving(change) : change.after;

/** An object that no longer matches is reported deleted: its last matching state at the new revision. */
function leaving(change: StoredChange): Stored {
  const { before, after } = change;
  if (before === undefined) return after;
  const object = withMeta(before.object, { resourceVersion: String(after.revision) });
  return after.with(object);
}

export const bookmarkLine = (form: EventForm, revision: number, endsInitial: boolean): string =>
  line('BOOKMARK', JSON.stringify(bookmarkObject(form, revision, endsInitial)));

/** A bookmark holds nothing but the revision, and marks the end of the initial events if it is that. */
export function bookmarkObject(
  { resource, format }: EventForm,
  revision: number,
  endsInitial: boolean,
): JsonObject {
  const annotations = endsInitial
    ? {
        annotations: {
          'k8s.io/initial-events-end': 'true',
          'kubernetes.io/initial-events-list-blueprint': blueprint(resource),
        },
      }
    : {};
  const created = resource.source.type === 'custom' ? {} : { creationTimestamp: null };
  const metadata = { resourceVersion: String(revision), ...created, ...annotations };
  const kind =
    format.type === 'partial'
      ? { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${format.version}` }
      : { kind: resource.kind, apiVersion: resource.apiVersion };
  return { ...kind, metadata };
}

function blueprint(resource: ApiResource): string {
  const list = { kind: resource.listKind, apiVersion: resource.apiVersion, metadata: {}, items: null };
  return btoa(`${JSON.stringify(list)}\n`);
}

export const errorLine = (status: string): string => line('ERROR', status);
