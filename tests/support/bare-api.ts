import type { Json, JsonObject } from '#base/json.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { Embedded } from '#embedded/start.ts';
import type { ApiResponse } from '#kube/http.ts';
import { followEvents, type EventReader } from './event-reader.ts';
import { startServer, type Answer, type Ask, type ServerParts } from './test-server.ts';

export type { Answer, Ask } from './test-server.ts';

/** The server without a listener, its clock in the hands of the test. */
export type BareApi = AsyncDisposable & {
  readonly embedded: Embedded;
  readonly clock: ManualClock;
  /** What the server found worth reporting: nothing, in a healthy run. */
  readonly problems: readonly unknown[];
  send(method: string, path: string, ask?: Ask): Promise<Answer>;
  get(path: string, accept?: string): Promise<Answer>;
  create(path: string, object: JsonObject): Promise<JsonObject>;
  patch(path: string, type: PatchName, body: Json, more?: Ask): Promise<Answer>;
  /** Opens a stream of events. */
  watch(path: string, accept?: string): Promise<EventReader>;
  raw(method: string, path: string, ask?: Ask): Promise<ApiResponse>;
};

export type PatchName = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypes: Readonly<Record<PatchName, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export type BareOptions = Pick<ServerParts, 'controllers' | 'eventTtl' | 'history' | 'journal'> & {
  readonly clock?: ManualClock;
};

/** Half past noon on an autumn day. */
const storyTime = 1_763_210_000_000;

export async function openApi(options: BareOptions = {}): Promise<BareApi> {
  const problems: unknown[] = [];
  const clock = options.clock ?? manualClock(storyTime);
  const server = await startServer({ ...options, clock, report: (error) => problems.push(error) });
  const { raw, send } = server;
  return {
    ...server,
    clock,
    problems,
    get: (path, accept = 'application/json') => send('GET', path, { headers: { accept } }),
    patch: (path, type, body, more = {}) => send('PATCH', path, { ...more, body, type: patchTypes[type] }),
    async watch(path, accept = 'application/json') {
      const leaving = new AbortController();
      const answer = await raw('GET', path, { headers: { accept }, signal: leaving.signal });
      return followEvents(answer, leaving);
    },
  };
}
