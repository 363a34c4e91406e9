import type { Journal } from '#base/journal.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import type { TokenUser } from '#embedded/server/authorization/authenticate.ts';
import type { AuthorizationMode } from '#embedded/server/rbac/access.ts';
import { controllerNames, type ControllerName } from '#embedded/controllers/start.ts';
import { startEmbedded, type Embedded } from '#embedded/start.ts';
import { textOf } from './body-text.ts';
import { systemClock } from '#edge/clock.ts';
import { systemTasks } from '#edge/tasks.ts';
import { passingTokenSigner } from '#edge/token-signer.ts';
import type { Headers, Peer } from '#kube/http.ts';
import type { TokenSigner } from '#kube/token-signer.ts';

export type Reply = { readonly status: number; readonly body: JsonObject };

/** A control plane in this process, with the words a story is told in. */
export type OpenServer = AsyncDisposable & {
  readonly embedded: Embedded;
  readonly problems: readonly unknown[];
  request(method: string, path: string, body?: Json, contentType?: string): Promise<Reply>;
  /** The same with credentials and headers of its own instead of the administrator's certificate. */
  requestAs(headers: Headers, method: string, path: string, body?: Json): Promise<Reply>;
  get(path: string): Promise<Reply>;
  create(path: string, object: JsonObject): Promise<JsonObject>;
  /** Settles when a GET of the path answers as wanted; asks again after every change. */
  until(path: string, isWanted: (reply: Reply) => boolean): Promise<Reply>;
};

export type OpenOptions = {
  readonly controllers?: readonly ControllerName[];
  readonly journal?: Journal;
  readonly rootCa?: string;
  readonly authorization?: AuthorizationMode;
  readonly tokens?: readonly TokenUser[];
  readonly tokenSigner?: TokenSigner;
  readonly clock?: Clock;
};

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body: Json | undefined;
  readonly headers: Headers;
  readonly peer: Peer;
};

const nobody: Peer = { certificate: undefined };
const admin: Peer = { certificate: { user: 'admin', groups: ['system:masters'] } };

export async function openServer(options: OpenOptions = {}): Promise<OpenServer> {
  const problems: unknown[] = [];
  const embedded = await startEmbedded({
    journal: options.journal ?? memoryJournal(),
    clock: options.clock ?? systemClock,
    random: seededRandom(7),
    tasks: systemTasks,
    tokens: options.tokens ?? [],
    authorization: options.authorization ?? 'allow',
    tokenSigner: options.tokenSigner ?? passingTokenSigner(),
    rootCa: options.rootCa ?? 'the authority',
    kubeControllers: new Set(options.controllers ?? controllerNames),
    report: (error) => problems.push(error),
  });
  const ask = async (asked: Asked): Promise<Reply> => {
    const { method, path, body, headers, peer } = asked;
    const [plain = '', query = ''] = path.split('?');
    const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
    const answer = await embedded.server.serve({
      method,
      path: plain,
      query,
      headers: { accept: 'application/json', 'user-agent': 'story', ...headers },
      peer,
      body: () => Promise.resolve(bytes),
      signal: new AbortController().signal,
    });
    return { status: answer.status, body: bodyOf(await textOf(answer.body)) };
  };
  const contentOf = (body: Json | undefined, type: string): Headers =>
    body === undefined ? {} : { 'content-type': type };
  const request: OpenServer['request'] = (method, path, body, contentType = 'application/json') =>
    ask({ method, path, body, headers: contentOf(body, contentType), peer: admin });
  const get: OpenServer['get'] = (path) => request('GET', path);
  return {
    embedded,
    problems,
    request,
    requestAs: (headers, method, path, body) =>
      ask({
        method,
        path,
        body,
        headers: { ...contentOf(body, 'application/json'), ...headers },
        peer: nobody,
      }),
    get,
    async create(path, object) {
      const { status, body } = await request('POST', path, object);
      if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    async until(path, isWanted) {
      for (;;) {
        const changed = nextCommit(embedded);
        const reply = await get(path);
        if (isWanted(reply)) return reply;
        await changed;
      }
    },
    [Symbol.asyncDispose]: () => embedded.close(),
  };
}

/** Some answers are plain text, as for a group nobody serves. */
const bodyOf = (text: string): JsonObject =>
  text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { message: text };

function nextCommit({ server }: Embedded): Promise<void> {
  return new Promise((resolve) => {
    const stop = server.context.store.subscribe(() => {
      stop();
      resolve();
    });
  });
}
