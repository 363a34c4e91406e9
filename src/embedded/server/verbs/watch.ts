import { printJson } from '#base/json-text.ts';
import { seconds } from '#base/time.ts';
import type { ApiResponse } from '#kube/http.ts';
import { ApiError, statusOf } from '#kube/status.ts';
import { text, jsonType } from '#embedded/server/request/answer.ts';
import type { Call, ServerContext } from '#embedded/server/request/call.ts';
import { freshEnough } from '#embedded/server/request/fresh.ts';
import { listOptions, parseRevision, type ListOptions } from '#embedded/server/request/list-options.ts';
import { objectFormat, type Format } from '#embedded/server/request/negotiate.ts';
import { selectionOf, type ObjectSelection } from '#embedded/server/request/selection.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { errorLine } from '#embedded/server/watch/event-text.ts';
import type { WatchHub } from '#embedded/server/watch/hub.ts';
import { Watcher } from '#embedded/server/watch/watcher.ts';
import { includeObject } from './get.ts';

export async function watch(context: ServerContext, hub: WatchHub, call: Call): Promise<ApiResponse> {
  const asked = objectFormat(call.request.headers['accept']);
  const options = listOptions(call.query, true);
  const selection = selectionOf(call);
  const start = startOf(context, options);
  if (options.initialEvents === true) await freshEnough(context, options.revision);
  if (start.type === 'expired') return streamOnce(errorLine(printJson(statusOf(start.error))));
  const format = formatFor(asked, options);
  const watcher = open(context, call, { options, selection, start, format });
  const leave = hub.add(call.resource.storage, watcher);
  const cancel = timers(context, watcher, options);
  const end = (): void => {
    cancel();
    leave();
  };
  const { signal } = call.request;
  const stream = eventStream(watcher, () => watcher.take(), signal, end);
  const objects = eventStream(watcher, () => watcher.takeObjects(), signal, end);
  const body = { type: 'stream' as const, stream, cut: watcher.cutSignal };
  return { ...text(200, jsonType, ''), body: format.type === 'table' ? body : { ...body, objects } };
}

/** kube-apiserver 1.32 responds to WatchList with plain objects even if a Table was requested. */
const formatFor = (asked: Format, options: ListOptions): Format =>
  options.initialEvents === true && asked.type === 'table' ? { type: 'json' } : asked;

type Start =
  | { readonly type: 'state' }
  | { readonly type: 'revision'; readonly revision: number }
  | { readonly type: 'expired'; readonly error: ApiError };

/** From a revision, or with the current state first. */
function startOf(context: ServerContext, options: ListOptions): Start {
  const { store } = context;
  const asked = options.revision === undefined ? undefined : parseRevision(options.revision);
  if (options.initialEvents === true) return { type: 'state' };
  if (asked === undefined || asked === 0) {
    return options.initialEvents === false
      ? { type: 'revision', revision: store.revision }
      : { type: 'state' };
  }
  if (asked >= store.history.compacted) return { type: 'revision', revision: asked };
  const message = `too old resource version: ${asked} (${store.history.compacted})`;
  return { type: 'expired', error: new ApiError({ code: 410, reason: 'Expired', message }) };
}

type Opening = {
  readonly options: ListOptions;
  readonly selection: ObjectSelection;
  readonly start: { readonly type: 'state' } | { readonly type: 'revision'; readonly revision: number };
  readonly format: Format;
};

function open(context: ServerContext, call: Call, { options, selection, start, format }: Opening): Watcher {
  const { store, clock } = context;
  const log = store.history.log(call.resource.storage);
  const initial = start.type === 'state' ? current(context, call, selection) : [];
  return new Watcher({
    form: { resource: call.resource, format, includeObject: includeObject(call.query) },
    selection,
    log,
    position: start.type === 'state' ? log.end : log.after(start.revision),
    initial,
    endsInitial: options.initialEvents === true && options.bookmarks,
    since: start.type === 'state' ? store.revision : start.revision,
    revision: () => store.revision,
    now: () => clock.now(),
  });
}

function current(context: ServerContext, call: Call, selection: ObjectSelection): readonly Stored[] {
  const table = context.store.table(call.resource.storage);
  return [...table.range(selection.namespace)].filter((stored) => selection.matches(stored));
}

const usualBookmarks = seconds(60);
const bookmarkBeforeEnd = seconds(2);

/** Bookmarks every minute unless given, and shortly before the end; an end at the latest after an hour. */
function timers(context: ServerContext, watcher: Watcher, options: ListOptions): () => void {
  const { clock, random, bookmarkEvery = usualBookmarks } = context;
  const asked = options.timeoutSeconds ?? 0;
  const lifetime = asked > 0 ? asked : 1800 + 1800 * random.next();
  const cancels: (() => void)[] = [];
  const cancelEnd = clock.after(seconds(lifetime), () => watcher.end());
  if (!options.bookmarks) return cancelEnd;
  const early = clock.after(seconds(Math.max(0.001, lifetime - bookmarkBeforeEnd / 1000)), () =>
    watcher.wantBookmark(),
  );
  let again = (): void => {};
  const repeat = (): void => {
    again = clock.after(bookmarkEvery, () => {
      watcher.wantBookmark();
      repeat();
    });
  };
  repeat();
  cancels.push(cancelEnd, early, () => again());
  return () => {
    for (const cancel of cancels) cancel();
  };
}

async function* eventStream<Due extends { readonly length: number }>(
  watcher: Watcher,
  take: () => Due,
  signal: AbortSignal,
  leave: () => void,
): AsyncGenerator<Due> {
  const stop = (): void => watcher.end();
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted) {
      const due = take();
      if (due.length > 0) yield due;
      else if (watcher.ended) return;
      else await watcher.wait();
    }
  } finally {
    signal.removeEventListener('abort', stop);
    leave();
  }
}

function streamOnce(line: string): ApiResponse {
  async function* one(): AsyncGenerator<string> {
    yield line;
  }
  return {
    ...text(200, jsonType, ''),
    body: { type: 'stream', stream: one(), cut: new AbortController().signal },
  };
}
