import { parseJson } from '#base/json-text.ts';
import { systemClock } from '#edge/clock.ts';
import { textOf } from '../support/body-text.ts';
import { httpsApiOf, type HttpsApi, type Thing, type WatchEvent } from '../support/https-api.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

export type ElsewhereApi = { readonly api: HttpsApi; close(): Promise<void> };

/** The client of the conformance tests on the cluster of the run, in a namespace that the run removes. */
export async function openElsewhereApi(): Promise<ElsewhereApi> {
  const server = await startServer({ clock: systemClock });
  const leaving = new AbortController();
  const close = async (): Promise<void> => {
    leaving.abort();
    await server[Symbol.asyncDispose]();
  };
  return { api: apiOf(server, leaving, close), close };
}

function apiOf(server: TestServer, leaving: AbortController, close: () => Promise<void>): HttpsApi {
  const send: HttpsApi['send'] = async (method, path, body, type = 'application/json') => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { status, body: answer } = await server.send(method, path, { body: text, type });
    return { status, body: answer };
  };
  const watch = (path: string): AsyncGenerator<WatchEvent> => eventsOf(server, path, leaving.signal);
  return httpsApiOf({
    send,
    async text(path) {
      const { status, text } = await server.send('GET', path);
      return { status, text };
    },
    watch,
    close,
  });
}

async function* eventsOf(server: TestServer, path: string, outer: AbortSignal): AsyncGenerator<WatchEvent> {
  const inner = new AbortController();
  const { body } = await server.raw('GET', path, { signal: AbortSignal.any([outer, inner.signal]) });
  if (body.type !== 'stream') {
    yield { type: 'ERROR', object: parseJson(await textOf(body)) as Thing };
    return;
  }
  try {
    for await (const line of body.stream) if (line.trim() !== '') yield parseJson(line) as WatchEvent;
  } finally {
    inner.abort();
  }
}
