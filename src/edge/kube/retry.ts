import { seconds, type Clock, type Millis } from '#base/time.ts';
import type { RequestPace } from './request-pace.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

const mostAttempts = 10;
const longestWait = 60;
/** How long all requests wait after a 429 that does not say for how long. */
const usualWait = seconds(1);

/**
 * Repeats a request that the server puts off; it did nothing of it, so any method may be repeated. A 429 slows down
 * all requests, but not those about Leases: a leader that waits for its turn would lose its Lease.
 */
export function retrying(transport: Transport, clock: Clock, pace: RequestPace): Transport {
  return async (request) => {
    const isPaced = !isUrgent(request);
    if (isPaced) await pace.turn(request.signal);
    for (let attempt = 1; ; attempt++) {
      const response = await transport(request);
      const wait = waitOf(response);
      const isThrottled = response.status === 429 && isPaced;
      if (isThrottled && wait === undefined) pace.slowDown(usualWait);
      if (wait === undefined || attempt === mostAttempts) return response;
      await response.text();
      if (isThrottled) await pace.refused(wait, request.signal);
      else await clock.sleep(wait, request.signal);
    }
  };
}

const isUrgent = ({ path }: TransportRequest): boolean =>
  path.startsWith('/apis/coordination.k8s.io/v1/namespaces/');

/** Without Retry-After it is an outage: the caller backs off. */
function waitOf({ status, headers }: TransportResponse): Millis | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const after = headers['retry-after'];
  return after !== undefined && /^\d+$/.test(after)
    ? seconds(Math.min(Number(after), longestWait))
    : undefined;
}
