import type { Journal } from '#base/journal.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import type { Clock, Millis } from '#base/time.ts';
import type { HistoryLimits } from '#embedded/server/store/history.ts';
import { controllerNames, type ControllerName } from '#embedded/controllers/start.ts';
import { startEmbedded, type Embedded } from '#embedded/start.ts';
import { textOf } from './body-text.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { ApiResponse } from '#kube/http.ts';
import { BodyTooLarge } from '#kube/http.ts';
import { followEvents, type EventReader } from './event-reader.ts';

export type Answer = {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  /** The parsed text; plain text is found under `message`. */
  readonly body: JsonObject;
};

export type Ask = {
  readonly body?: Json | Uint8Array;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The server without a listener, its clock in the hands of the test. */
export type BareApi = AsyncDisposable & {
  readonly embedded: Embedded;
  readonly clock: ManualClock;
  /** What the server found worth reporting: nothing, in a healthy run. */
  readonly problems: readonly unknown[];
  /** A body that is text or bytes is sent as it is, anything else as JSON. */
  send(method: string, path: string, ask?: Ask): Promise<Answer>;
  get(path: string, accept?: string): Promise<Answer>;
  create(path: string, object: JsonObject): Promise<JsonObject>;
  patch(path: string, type: PatchName, body: Json, more?: Ask): Promise<Answer>;
  /** Opens a stream of events. */
  watch(path: string, accept?: string): Promise<EventReader>;
  raw(method: string, path: string, ask?: Ask, signal?: AbortSignal): Promise<ApiResponse>;
};

export type PatchName = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypes: Readonly<Record<PatchName, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export type BareOptions = {
  readonly journal?: Journal;
  readonly history?: HistoryLimits;
  readonly controllers?: 'all' | readonly ControllerName[];
  readonly clock?: ManualClock;
  readonly eventTtl?: Millis;
};

const admin = { certificate: { user: 'admin', groups: ['system:masters'] } };

/** Half past noon on an autumn day. */
const storyTime = 1_763_210_000_000;

export async function openApi(options: BareOptions = {}): Promise<BareApi> {
  const problems: unknown[] = [];
  const clock = options.clock ?? manualClock(storyTime);
  const names = options.controllers === 'all' ? controllerNames : (options.controllers ?? []);
  const embedded = await startEmbedded({
    journal: options.journal ?? memoryJournal(),
    clock: clock satisfies Clock,
    random: seededRandom(11),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'the authority',
    kubeControllers: new Set(names),
    ...(options.history === undefined ? {} : { history: options.history }),
    ...(options.eventTtl === undefined ? {} : { eventTtl: options.eventTtl }),
    report: (error) => problems.push(error),
  });
  const raw: BareApi['raw'] = (method, path, ask = {}, signal = new AbortController().signal) => {
    const at = path.indexOf('?');
    const bytes = bytesOf(ask.body);
    return embedded.server.serve({
      method,
      path: at < 0 ? path : path.slice(0, at),
      query: at < 0 ? '' : path.slice(at + 1),
      headers: {
        accept: 'application/json',
        'user-agent': 'story/1',
        ...(ask.body === undefined ? {} : { 'content-type': ask.type ?? 'application/json' }),
        ...ask.headers,
      },
      peer: admin,
      body: (limit) =>
        bytes.length > limit ? Promise.reject(new BodyTooLarge(limit)) : Promise.resolve(bytes),
      signal,
    });
  };
  const send: BareApi['send'] = async (method, path, ask) => {
    const { status, headers, body } = await raw(method, path, ask);
    const text = await textOf(body);
    return { status, headers, text, body: parsed(text) };
  };
  return {
    embedded,
    clock,
    problems,
    raw,
    send,
    get: (path, accept = 'application/json') => send('GET', path, { headers: { accept } }),
    async create(path, object) {
      const { status, body } = await send('POST', path, { body: object });
      if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    patch: (path, type, body, more = {}) => send('PATCH', path, { ...more, body, type: patchTypes[type] }),
    async watch(path, accept = 'application/json') {
      const leaving = new AbortController();
      const answer = await raw('GET', path, { headers: { accept } }, leaving.signal);
      return followEvents(answer, leaving);
    },
    [Symbol.asyncDispose]: () => embedded.close(),
  };
}

function bytesOf(body: Json | Uint8Array | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : printJson(body));
}

function parsed(text: string): JsonObject {
  return text.startsWith('{') ? (parseJson(text) as JsonObject) : { message: text };
}
