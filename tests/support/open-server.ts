import type { Journal } from '#base/journal.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { controllerNames, type ControllerName } from '#builtin/start.ts';
import { startEmbedded, type Embedded } from '#cli/embedded.ts';
import { textOf } from '#cli/in-process.ts';
import { systemClock } from '#edge/clock.ts';
import { systemTasks } from '#edge/tasks.ts';

export type Reply = { readonly status: number; readonly body: JsonObject };

/** A control plane in this process, with the words a story is told in. */
export type OpenServer = AsyncDisposable & {
  readonly embedded: Embedded;
  readonly problems: readonly unknown[];
  request(method: string, path: string, body?: Json, contentType?: string): Promise<Reply>;
  get(path: string): Promise<Reply>;
  create(path: string, object: JsonObject): Promise<JsonObject>;
  /** Settles when a GET of the path answers as wanted; asks again after every change. */
  until(path: string, isWanted: (reply: Reply) => boolean): Promise<Reply>;
};

export type OpenOptions = {
  readonly controllers?: readonly ControllerName[];
  readonly journal?: Journal;
  readonly rootCa?: string;
};

const admin = { certificate: { user: 'admin', groups: ['system:masters'] } };

export async function openServer(options: OpenOptions = {}): Promise<OpenServer> {
  const problems: unknown[] = [];
  const embedded = await startEmbedded({
    journal: options.journal ?? memoryJournal(),
    clock: systemClock,
    random: seededRandom(7),
    tasks: systemTasks,
    tokens: [],
    rootCa: options.rootCa ?? 'the authority',
    kubeControllers: new Set(options.controllers ?? controllerNames),
    report: (error) => problems.push(error),
  });
  const request: OpenServer['request'] = async (method, path, body, contentType = 'application/json') => {
    const [plain = '', query = ''] = path.split('?');
    const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
    const answer = await embedded.server.serve({
      method,
      path: plain,
      query,
      headers: {
        accept: 'application/json',
        'user-agent': 'story',
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      peer: admin,
      body: () => Promise.resolve(bytes),
      signal: new AbortController().signal,
    });
    return { status: answer.status, body: bodyOf(await textOf(answer.body)) };
  };
  const get: OpenServer['get'] = (path) => request('GET', path);
  return {
    embedded,
    problems,
    request,
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
