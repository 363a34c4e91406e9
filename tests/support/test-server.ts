import type { Json, JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { controllerNames, type ControllerName } from '#embedded/controllers/start.ts';
import { startEmbedded, type Embedded, type EmbeddedDeps } from '#embedded/start.ts';
import { systemTasks } from '#edge/tasks.ts';
import { BodyTooLarge, type ApiResponse, type Headers, type Peer } from '#kube/http.ts';
import type { KubeObject } from '#kube/object.ts';
import { startElsewhere } from '../cluster/start-elsewhere.ts';
import { testCluster } from '../cluster/test-cluster.ts';
import { textOf } from './body-text.ts';

/** The parts of an embedded control plane that differ between tests. */
export type ServerParts = Pick<EmbeddedDeps, 'clock'> &
  Partial<
    Pick<
      EmbeddedDeps,
      | 'authorization'
      | 'control'
      | 'eventTtl'
      | 'history'
      | 'journal'
      | 'kinds'
      | 'nodes'
      | 'report'
      | 'rootCa'
      | 'tokens'
      | 'tokenSigner'
    >
  > & {
    /** None unless given. */
    readonly controllers?: 'all' | readonly ControllerName[] | undefined;
    readonly seed?: number;
    /** Whether `stored` and `onChange` are used: in another process the server's objects have to be followed. */
    readonly mirrored?: boolean;
  };

/** A change of the store. */
export type SeenChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `/pods`, `apps/deployments`. */
  readonly resource: string;
  readonly object: KubeObject;
};

/** The server itself: in this process, or that of the cluster that `npm run test:cluster` uses. */
export type TestServerCore = {
  readonly embedded: Embedded;
  /** The stored objects of a resource: `/pods`, `apps/deployments`. */
  readonly stored: (resource: string) => readonly KubeObject[];
  /** Calls `look` with the changes of every commit. */
  readonly onChange: (look: (changes: readonly SeenChange[]) => void) => () => void;
};

export type Answer = {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  /** The parsed text; plain text is found under `message`. */
  readonly body: JsonObject;
};

/** A body that is text or bytes is sent as it is, anything else as JSON. */
export type Ask = {
  readonly body?: Json | Uint8Array | undefined;
  readonly type?: string;
  readonly headers?: Headers;
  /** The administrator unless given. */
  readonly peer?: Peer;
  readonly signal?: AbortSignal;
};

/** An API server and its controllers without a listener. */
export type TestServer = AsyncDisposable &
  TestServerCore & {
    readonly raw: (method: string, path: string, ask?: Ask) => Promise<ApiResponse>;
    readonly send: (method: string, path: string, ask?: Ask) => Promise<Answer>;
    /** POST; any answer but 201 is an error. */
    create(path: string, object: JsonObject): Promise<JsonObject>;
  };

const admin: Peer = { certificate: { user: 'admin', groups: ['system:masters'] } };

export async function startServer(parts: ServerParts): Promise<TestServer> {
  const elsewhere = testCluster();
  const core = await (elsewhere === undefined ? startHere(parts) : startElsewhere(parts, elsewhere));
  return asked(core);
}

async function startHere(parts: ServerParts): Promise<TestServerCore> {
  const { controllers = [], seed = 11, mirrored: _everything, ...given } = parts;
  const embedded = await startEmbedded({
    journal: memoryJournal(),
    random: seededRandom(seed),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'the authority',
    kubeControllers: new Set(controllers === 'all' ? controllerNames : controllers),
    report: (error) => {
      throw error;
    },
    ...given,
  });
  const { store } = embedded.server.context;
  return {
    embedded,
    stored: (resource) => [...store.table(resource).range(undefined)].map(({ object }) => object),
    onChange: (look) =>
      store.subscribe((changes) =>
        look(changes.map(({ type, resource, after }) => ({ type, resource, object: after.object }))),
      ),
  };
}

function asked(core: TestServerCore): TestServer {
  const { embedded } = core;
  const raw: TestServer['raw'] = (method, path, ask = {}) => {
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
      peer: ask.peer ?? admin,
      body: (limit) =>
        bytes.length > limit ? Promise.reject(new BodyTooLarge(limit)) : Promise.resolve(bytes),
      signal: ask.signal ?? new AbortController().signal,
    });
  };
  const send: TestServer['send'] = async (method, path, ask) => {
    const { status, headers, body } = await raw(method, path, ask);
    const text = await textOf(body);
    return { status, headers, text, body: parsed(text) };
  };
  return {
    ...core,
    raw,
    send,
    async create(path, object) {
      const { status, body } = await send('POST', path, { body: object });
      if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return body;
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
