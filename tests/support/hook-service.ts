import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server that answers every question with the same JSON, until told otherwise. */
export type HookService = AsyncDisposable & {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: readonly string[];
  /** Settles when so many more questions have come. */
  more(count: number): Promise<void>;
  answer: unknown;
  /** Questions are heard and not answered. */
  isSilent: boolean;
};

export async function startHookService(answer: unknown): Promise<HookService> {
  const asked: string[] = [];
  const heard = new EventEmitter();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    heard.emit('question');
    if (service.isSilent) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(service.answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: HookService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async more(count) {
      for (const wanted = asked.length + count; asked.length < wanted;) await once(heard, 'question');
    },
    answer,
    isSilent: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}
