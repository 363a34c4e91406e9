import { Pool, type Dispatcher } from 'undici';
import type { Access } from './boathook.ts';

export type Reply = { readonly status: number; readonly body: Thing };

/** Any object of the API, as loosely as a test needs it. */
export type Thing = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
};

export type WatchEvent = { readonly type: string; readonly object: Thing };

/** A plain client over TLS that shares nothing with the client under src/: the server's judge stands apart. */
export type HttpsApi = {
  send(method: Dispatcher.HttpMethod, path: string, body?: unknown, type?: string): Promise<Reply>;
  create(path: string, object: unknown): Promise<Thing>;
  text(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Events as they arrive; ends with the connection, or when the reader stops. */
  watch(path: string): AsyncGenerator<WatchEvent>;
  /** The first event that fits. */
  seen(path: string, isWanted: (event: WatchEvent) => boolean): Promise<WatchEvent>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type Credential =
  { readonly cert: string; readonly key: string } | { readonly token: string } | 'none';

export function openApi(
  access: Access,
  options: { readonly as?: Credential; readonly connections?: number } = {},
): HttpsApi {
  const as: Credential = options.as ?? access;
  const pool = new Pool(access.server, {
    connections: options.connections ?? 8,
    bodyTimeout: 0,
    connect: { ca: access.ca, ...(as !== 'none' && 'cert' in as ? { cert: as.cert, key: as.key } : {}) },
  });
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(as !== 'none' && 'token' in as ? { authorization: `Bearer ${as.token}` } : {}),
  };
  const send: HttpsApi['send'] = async (method, path, body, type = 'application/json') => {
    const answer = await pool.request({
      method,
      path,
      headers: body === undefined ? headers : { ...headers, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Thing };
  };
  const close = (): Promise<void> => pool.destroy();
  const watch = (path: string): AsyncGenerator<WatchEvent> => readEvents(pool, path, headers);
  return httpsApiOf({
    send,
    async text(path) {
      const answer = await pool.request({ method: 'GET', path, headers });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    watch,
    close,
  });
}

/** What tests need, by a few requests. */
export const httpsApiOf = (api: Pick<HttpsApi, 'send' | 'text' | 'watch' | 'close'>): HttpsApi => ({
  ...api,
  async create(path, object) {
    const { status, body } = await api.send('POST', path, object);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  },
  async seen(path, isWanted) {
    for await (const event of api.watch(path)) if (isWanted(event)) return event;
    throw new Error(`the watch of ${path} ended before the wanted event`);
  },
  [Symbol.asyncDispose]: api.close,
});

async function* readEvents(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
): AsyncGenerator<WatchEvent> {
  const answer = await pool.request({ method: 'GET', path, headers });
  if (answer.statusCode !== 200) {
    yield { type: 'ERROR', object: (await answer.body.json()) as Thing };
    return;
  }
  let rest = '';
  for await (const piece of answer.body.setEncoding('utf8')) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchEvent;
  }
}
