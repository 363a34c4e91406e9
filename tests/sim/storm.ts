import type { Random } from '#base/random.ts';
import type { Clock, Instant } from '#base/time.ts';
import { seconds, later } from '#base/time.ts';
import type { Transport, TransportRequest, TransportResponse } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';

/** Faults of single requests, as a network and an API server under load have them. */
export type Storm = {
  around(direct: Transport): Transport;
  rage(length: number, share: number): void;
  calm(): void;
  readonly count: Record<StormFault, number>;
};

type StormFault = 'lost' | 'answer lost' | 'throttled' | 'failed' | 'slow';
const kinds: readonly StormFault[] = ['lost', 'answer lost', 'throttled', 'failed', 'slow'];

const isExempt = ({ path, query }: TransportRequest): boolean =>
  /\/(events|leases)(\/|$)/.test(path) || query.includes('watch=');

export function storm(random: Random, clock: Clock): Storm {
  let until = 0 as Instant;
  let share = 0;
  const count = { lost: 0, 'answer lost': 0, throttled: 0, failed: 0, slow: 0 };
  return {
    count,
    rage(length, part) {
      until = later(clock.now(), seconds(length));
      share = part;
    },
    calm() {
      until = 0 as Instant;
    },
    around: (direct) => async (request) => {
      if (isExempt(request) || clock.now() >= until || random.next() >= share) return direct(request);
      const fault = kinds[Math.floor(random.next() * kinds.length)] ?? 'slow';
      count[fault] += 1;
      switch (fault) {
        case 'lost':
          throw new Unavailable('the request was lost', undefined);
        case 'answer lost':
          await direct(request);
          throw new Unavailable('the answer was lost', undefined);
        case 'throttled':
          return refusal(429, 'TooManyRequests', { 'retry-after': '1' });
        case 'failed':
          return refusal(500, 'InternalError', {});
        case 'slow':
          await clock.sleep(seconds(random.next() * 3), request.signal);
          return direct(request);
      }
    },
  };
}

const refusal = (
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>>,
): TransportResponse => ({
  status,
  headers,
  text: () => Promise.resolve(JSON.stringify({ kind: 'Status', code: status, reason, message: 'a fault' })),
  lines: () => {
    throw new Error('an error has no lines');
  },
});
