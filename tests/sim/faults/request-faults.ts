import type { Random } from '#base/random.ts';
import { instant, later, seconds, type Clock } from '#base/time.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { isSideline, type ClientFault } from './around-client.ts';

type RequestFaultKind = 'lost' | 'answer lost' | 'throttled' | 'failed' | 'slow';
/** A request whose effect nobody knows is the worst. */
const kinds: readonly RequestFaultKind[] = [
  'lost',
  'answer lost',
  'answer lost',
  'throttled',
  'failed',
  'slow',
];

/** Faults of single requests, as a network and an API server under load have them. */
export type RequestFaults = Required<Pick<ClientFault, 'call'>> & {
  begin(length: number, share: number): void;
  end(): void;
  readonly count: Readonly<Record<RequestFaultKind, number>>;
};

export function requestFaults(random: Random, clock: Clock, isSpared = isSideline): RequestFaults {
  let until = instant(0);
  let share = 0;
  const count: Record<RequestFaultKind, number> = {
    lost: 0,
    'answer lost': 0,
    throttled: 0,
    failed: 0,
    slow: 0,
  };
  return {
    count,
    begin(length, part) {
      until = later(clock.now(), seconds(length));
      share = part;
    },
    end() {
      until = instant(0);
    },
    async call(call, go) {
      if (isSpared(call) || clock.now() >= until || random.next() >= share) return go();
      const kind = kinds[Math.floor(random.next() * kinds.length)] ?? 'slow';
      count[kind] += 1;
      switch (kind) {
        case 'lost':
          throw new Unavailable('the request was lost');
        case 'answer lost':
          await go();
          throw new Unavailable('the answer was lost');
        case 'throttled':
          throw new Unavailable('The server could not answer (429): a fault');
        case 'failed':
          throw new Unavailable('The server could not answer (500): a fault');
        case 'slow':
          await clock.sleep(seconds(random.next() * 3), call.signal);
          return go();
      }
    },
  };
}
