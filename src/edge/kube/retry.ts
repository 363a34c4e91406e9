import { seconds, type Clock, type Millis } from '#base/time.ts';
import type { Transport, TransportResponse } from './transport.ts';

const mostAttempts = 10;
const longestWait = 60;

/** Repeats a request that the server puts off with a Retry-After; it did nothing of it, so any method may be repeated. */
export function retrying(transport: Transport, clock: Clock): Transport {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await transport(request);
      const wait = waitOf(response);
      if (wait === undefined || attempt === mostAttempts) return response;
      await response.text();
      await clock.sleep(wait, request.signal);
    }
  };
}

function waitOf({ status, headers }: TransportResponse): Millis | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const after = headers['retry-after'];
  return after !== undefined && /^\d+$/.test(after)
    ? seconds(Math.min(Number(after), longestWait))
    : undefined;
}
