import { metadataOnly } from './metadata-only.ts';
import { isObject, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { steadyClock } from '#base/steady-clock.ts';
import { later, millis, seconds, type Clock, type Millis } from '#base/time.ts';
import type { WatchedObject } from '#kube/http.ts';
import type { KubeObject } from '#kube/object.ts';
import { eventRefusal, outcomeOf, type Refusal } from './outcome.ts';
import { collectionPath, queryOf, type Resource } from '#kube/resource.ts';
import type { Transport, TransportResponse } from './transport.ts';
import { Unavailable } from './unavailable.ts';

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: KubeObject }
  /** The last event. `gone`: the resourceVersion is too old, list again. */
  | Refusal;

export type WatchOptions = {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  /** What of each object is sent: all of it unless given. */
  readonly content?: 'metadata' | undefined;
  /** When the server is to end the watch. Choose different ones for many watches. */
  readonly timeoutSeconds?: number | undefined;
  /** A connection idle for this long may be dead: the watch ends. 25 s unless given; bookmarks count as activity. */
  readonly idle?: Millis | undefined;
};

/**
 * The changes of a resource from a resourceVersion on. Ends when the server ends it, and when the connection falls
 * silent: then it may be dead, and a new watch continues from the same place. Throws `Unavailable` when the connection
 * breaks or there is no response. Leaving the loop closes the connection.
 */
export async function* watch(
  {
    transport,
    clock,
    headers,
  }: { transport: Transport; clock: Clock; headers: Readonly<Record<string, string>> },
  resource: Resource,
  options: WatchOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const { namespace, idle = seconds(25), sendInitialEvents, content, ...selection } = options;
  const path = collectionPath(resource, namespace);
  const query = queryOf({
    ...selection,
    watch: true,
    allowWatchBookmarks: true,
    sendInitialEvents,
    resourceVersionMatch: sendInitialEvents === undefined ? undefined : 'NotOlderThan',
  });
  const silence = startSilenceTimer(clock, idle, `The watch of ${path} was silent for ${idle / 1000} s.`);
  let isOpen = false;
  try {
    const both = AbortSignal.any([signal, silence.signal]);
    const asked = { method: 'GET', path, query, headers: { ...headers, ...formOf(content) } };
    const response = await transport({ ...asked, signal: both });
    if (response.status !== 200) {
      const outcome = await outcomeOf(response);
      if (outcome.type !== 'ok') yield outcome;
      return;
    }
    isOpen = true;
    if (response.isLocal === true) silence.stop();
    yield* response.objects === undefined ? remoteEvents(response, silence) : localEvents(response.objects());
  } catch (error) {
    if (!isOpen || signal.aborted || !silence.signal.aborted) throw error;
  } finally {
    silence.stop();
  }
}

const formOf = (content: WatchOptions['content']): { readonly accept?: string } =>
  content === 'metadata' ? { accept: metadataOnly } : {};

type SilenceTimer = { readonly signal: AbortSignal; heard(): void; stop(): void };

/** One timer that looks again rather than one per event. */
function startSilenceTimer(clock: Clock, span: Millis, message: string): SilenceTimer {
  const controller = new AbortController();
  // A clock that is set back does not make it longer.
  const steady = steadyClock(clock);
  let last = steady.now();
  let cancel: () => void;
  const arm = (wait: Millis): void => {
    cancel = clock.after(wait, () => {
      const left = later(last, span) - steady.now();
      if (left > 0) arm(millis(left));
      else controller.abort(new Unavailable(message));
    });
  };
  arm(span);
  return { signal: controller.signal, heard: () => void (last = steady.now()), stop: () => cancel() };
}

const changes = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'] as const;

async function* remoteEvents(response: TransportResponse, silence: SilenceTimer): AsyncGenerator<WatchEvent> {
  for await (const line of response.lines()) {
    const event = eventOf(line);
    silence.heard();
    yield event;
    // The reader's own time is not the server's silence.
    silence.heard();
    if ('code' in event) return;
  }
}

async function* localEvents(batches: AsyncIterable<readonly WatchedObject[]>): AsyncGenerator<WatchEvent> {
  for await (const batch of batches) {
    for (const { type, object } of batch) {
      if (type === 'ERROR') {
        yield eventRefusal(object);
        return;
      }
      yield { type, object };
    }
  }
}

function eventOf(line: string): WatchEvent {
  const json = parse(line);
  const name = textAt(json, 'type');
  const object = objectAt(json, 'object');
  if (object !== undefined && name === 'ERROR') return eventRefusal(object);
  const type = changes.find((each) => each === name);
  if (type === undefined || object === undefined)
    throw new Unavailable('The watch sent something that is not an event.');
  return { type, object };
}

function parse(line: string): JsonObject | undefined {
  try {
    const json = parseJson(line);
    return isObject(json) ? json : undefined;
  } catch {
    // A line cut off by the end of the connection.
    return undefined;
  }
}
