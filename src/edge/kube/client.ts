import type { Clock } from '#base/time.ts';
import { metadataList } from './metadata-only.ts';
import { askThrough, textThrough, type SendJson, type AskText } from './ask.ts';
import { discovery, type FindResource } from './discovery.ts';
import { listWhole, pagesOf, type AskPage, type Listed, type Page, type Selection } from './list.ts';
import type { Outcome, Refusal } from './outcome.ts';
import { collectionPath, objectPath, type ObjectKey, type Resource } from '#kube/resource.ts';
import type { Transport } from './transport.ts';
import { watch, type WatchEvent, type WatchOptions } from './watch.ts';
import { writeVerbs, type WriteVerbs } from './write-verbs.ts';

/** Verbs of the API on plain JSON objects. What the server refuses is an outcome; `Unavailable` is thrown. */
export type KubeClient = WriteVerbs & {
  readonly get: (resource: Resource, key: ObjectKey, signal: AbortSignal) => Promise<Outcome>;
  readonly list: (resource: Resource, selection: Selection, signal: AbortSignal) => Promise<Listed | Refusal>;
  readonly pages: (
    resource: Resource,
    selection: Selection,
    signal: AbortSignal,
  ) => AsyncIterable<Page | Refusal>;
  readonly watch: (
    resource: Resource,
    options: WatchOptions,
    signal: AbortSignal,
  ) => AsyncIterable<WatchEvent>;
  /** The resource that serves a kind. */
  readonly resourceOf: FindResource;
  /** Any path with a JSON response, such as `/version`. */
  readonly raw: (path: string, signal: AbortSignal) => Promise<Outcome>;
  /** A subresource with a plain text response, such as the log of a pod. */
  readonly text: AskText;
};

export type ClientOptions = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Objects per page of a list. */
  readonly pageSize?: number;
  /** In whose name to act, when it is not the one who logged in: `system:serviceaccount:NAMESPACE:NAME`. */
  readonly impersonate?: string;
};

export function createClient(options: ClientOptions): KubeClient {
  const { transport, clock, userAgent, pageSize = 500, impersonate } = options;
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(impersonate === undefined ? {} : { 'impersonate-user': impersonate }),
  };
  const ask = askThrough(transport, headers);
  const raw = (path: string, signal: AbortSignal): Promise<Outcome> => ask({ method: 'GET', path }, signal);
  const pages = (resource: Resource, selection: Selection, signal: AbortSignal): AskPage =>
    askPages(ask, collectionPath(resource, selection.namespace), selection, signal);
  return {
    ...writeVerbs(ask),
    get: (resource, key, signal) => raw(objectPath(resource, key), signal),
    list: (resource, selection, signal) =>
      listWhole(pages(resource, selection, signal), selection.pageSize ?? pageSize),
    pages: (resource, selection, signal) =>
      pagesOf(pages(resource, selection, signal), selection.pageSize ?? pageSize),
    watch: (resource, options, signal) => watch({ transport, clock, headers }, resource, options, signal),
    resourceOf: discovery(raw),
    raw,
    text: textThrough(transport, headers),
  };
}

function askPages(ask: SendJson, path: string, selection: Selection, signal: AbortSignal): AskPage {
  const { labelSelector, fieldSelector, resourceVersion, resourceVersionMatch, content } = selection;
  const form = content === 'metadata' ? { accept: metadataList } : {};
  return (limit, proceed) => {
    // A page that continues a list is of the first page's moment.
    const moment = proceed === undefined ? { resourceVersion, resourceVersionMatch } : { continue: proceed };
    const query = { labelSelector, fieldSelector, limit, ...moment };
    return ask({ method: 'GET', path, query, ...form }, signal);
  };
}
