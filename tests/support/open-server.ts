import type { Json, JsonObject } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { passingTokenSigner } from '#edge/token-signer.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import type { Embedded } from '#embedded/start.ts';
import type { Headers, Peer } from '#kube/http.ts';
import { testCluster } from '../cluster/test-cluster.ts';
import { startServer, type Answer, type ServerParts, type TestServer } from './test-server.ts';
import { impatience, turn } from './turn.ts';

export type Reply = Pick<Answer, 'status' | 'body'>;

/** A control plane in this process on the clock of the machine. */
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

export type OpenOptions = Pick<
  ServerParts,
  'authorization' | 'controllers' | 'journal' | 'rootCa' | 'tokens' | 'tokenSigner'
> & { readonly clock?: Clock };

const nobody: Peer = { certificate: undefined };

export async function openServer(options: OpenOptions = {}): Promise<OpenServer> {
  const problems: unknown[] = [];
  const server = await startServer({
    seed: 7,
    clock: systemClock,
    tokenSigner: passingTokenSigner(),
    controllers: controllerNames,
    report: (error) => problems.push(error),
    ...options,
  });
  const { send } = server;
  const request: OpenServer['request'] = (method, path, body, type = 'application/json') =>
    send(method, path, { body, type });
  const get: OpenServer['get'] = (path) => request('GET', path);
  return {
    ...server,
    problems,
    request,
    requestAs: (headers, method, path, body) => send(method, path, { body, headers, peer: nobody }),
    get,
    async until(path, isWanted) {
      const hurry = impatience(`${path} was not as wanted`);
      for (;;) {
        const changed = nextChange(server);
        const reply = await get(path);
        if (isWanted(reply)) return reply;
        hurry(() => `the last answer: ${reply.status} ${JSON.stringify(reply.body).slice(0, 2000)}`);
        await changed;
      }
    },
  };
}

/** Elsewhere nobody tells of changes: it is asked again as soon as nothing is under way. */
function nextChange(server: TestServer): Promise<void> {
  if (testCluster() !== undefined) return turn();
  return new Promise((resolve) => {
    const stop = server.onChange(() => {
      stop();
      resolve();
    });
  });
}
