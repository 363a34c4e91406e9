import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listAt, textAt, type Json, type JsonObject } from '#base/json.ts';

export type Asked = {
  readonly phase: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  readonly text: string;
};

/** What is answered: JSON with 200, or anything else by hand; the text `hang` says nothing until the service ends. */
export type Said = Json | ((response: ServerResponse) => void);

/** A hook service on loopback that a test tells what to answer. */
export type ReconcileHook = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly asked: Asked[];
  /** Questions that are deliberately not answered. */
  readonly hanging: number;
  answer: (asked: Asked) => Said;
  /** Keeps a question waiting; the answer lets it go on. */
  hold(response: ServerResponse): () => void;
  /** The phases that were asked about an instance. */
  phases(name?: string): readonly string[];
};

export async function startReconcileHook(
  answer: ReconcileHook['answer'] = () => ({}),
): Promise<ReconcileHook> {
  const asked: Asked[] = [];
  let hanging = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const body = text === '' ? {} : (JSON.parse(text) as JsonObject);
      const question = {
        phase: textAt(body, 'phase') ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        text,
      };
      asked.push(question);
      const said = hook.answer(question);
      if (said === 'hang') hook.hold(response);
      else if (typeof said === 'function') said(response);
      else {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(said));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hook: ReconcileHook = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    answer,
    get hanging() {
      return hanging;
    },
    hold(response) {
      let isHeld = true;
      hanging += 1;
      const release = (): void => {
        if (isHeld) hanging -= 1;
        isHeld = false;
      };
      response.on('close', release);
      return release;
    },
    phases: (name) =>
      asked
        .filter(
          ({ body }) =>
            name === undefined ||
            (textAt(body, 'object', 'name') ?? textAt(body, 'object', 'metadata', 'name')) === name,
        )
        .map(({ phase }) => phase),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return hook;
}

/** An answer by hand. */
export const plainly =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Said =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export const failure = (error: JsonObject): Json => ({ error: { message: 'not today', ...error } });

/** Kinds and names of what a post-reconcile request shows. */
export const renderedIn = ({ body }: Asked): readonly string[] =>
  listAt(body, 'rendered').map((each) => `${textAt(each, 'kind')} ${textAt(each, 'metadata', 'name')}`);
