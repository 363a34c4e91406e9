import type { Json, JsonObject } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { passingTokenSigner } from '#edge/token-signer.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import type { Embedded } from '#embedded/start.ts';
import type { Headers, Peer } from '#kube/http.ts';
import { startServer, type Answer, type ServerParts } from './test-server.ts';

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
  const { embedded, send } = server;
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
      for (;;) {
        const changed = nextCommit(embedded);
        const reply = await get(path);
        if (isWanted(reply)) return reply;
        await changed;
      }
    },
  };
}

function nextCommit({ server }: Embedded): Promise<void> {
  return new Promise((resolve) => {
    const stop = server.context.store.subscribe(() => {
      stop();
      resolve();
    });
  });
}
