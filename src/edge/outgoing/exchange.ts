import type { Dispatcher } from 'undici';
import type { OutgoingCall } from './call.ts';
import { TooLarge } from './decode.ts';
import type { Hop } from './redirect.ts';
import type { Site } from './sites.ts';

/** A response as received, not yet decompressed. */
export type Received = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Waits for a turn, sends one request and reads its response. Rejects on any error. */
export function exchange(site: Site, hop: Hop, call: OutgoingCall): Promise<Received> {
  if (call.stopped !== undefined) return Promise.reject(call.stopped);
  return new Promise((resolve, reject) => {
    let isOver = false;
    let endTurn: (() => void) | undefined;
    const intake = takeIn(hop, call, (error) => {
      if (isOver) return;
      isOver = true;
      call.interrupt = undefined;
      if (error === undefined) resolve(intake.received());
      else reject(error);
      intake.stop(error);
      endTurn?.();
    });
    call.begin(intake.end);
    endTurn = site.turns.take(() => {
      call.stage = 'connect';
      const { method, headers, body = null } = hop.request;
      site.pool.dispatch({ method, path: hop.url.pathname + hop.url.search, headers, body }, intake.handler);
    });
    // It may all be over before the turn is known.
    if (isOver) endTurn();
  });
}

type Intake = {
  readonly handler: Dispatcher.DispatchHandler;
  readonly end: (error: Error) => void;
  received(): Received;
  /** The rest is not needed: an error closes the connection. */
  stop(error: Error | undefined): void;
};

/** Collects a response piece by piece, without streams, which small calls do not need. */
function takeIn({ request }: Hop, call: OutgoingCall, end: (error?: Error) => void): Intake {
  let controller: Dispatcher.DispatchController | undefined;
  let isStopped = false;
  let status = 0;
  let headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  const { maxBytes, method } = request;
  return {
    end,
    received: () => ({ status, headers, body: joined(chunks) }),
    stop(error) {
      isStopped = true;
      if (error !== undefined) controller?.abort(error);
    },
    handler: {
      onRequestStart(given) {
        controller = given;
        // The connection opened after the caller had aborted.
        if (isStopped) given.abort(new Error('too late'));
        else call.stage = 'headers';
      },
      onResponseStart(_controller, code, raw) {
        if (code < 200) return;
        status = code;
        headers = flat(raw);
        call.stage = 'body';
        if (method !== 'HEAD' && Number(headers['content-length']) > maxBytes) end(new TooLarge());
      },
      onResponseData(_controller, chunk) {
        call.received += chunk.length;
        if (call.received > maxBytes) end(new TooLarge());
        else chunks.push(chunk);
      },
      onResponseEnd: () => end(),
      onResponseError: (_controller, error) => end(error),
    },
  };
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}

function flat(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) out[name] = typeof value === 'string' ? value : value.join(', ');
  return out;
}
