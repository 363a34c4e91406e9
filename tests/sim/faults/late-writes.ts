import type { Random } from '#base/random.ts';
import { instant, later, seconds, type Clock, type Instant } from '#base/time.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { isSideline, isWrite, type ClientCall, type ClientFault } from './around-client.ts';

/** Writes that the server carries out after their client has given up. */
export type LateWrites = ClientFault & {
  /** For a time a share of the writes is late, each by `longest` seconds at most. */
  begin(given: LateWritesGiven): void;
  /** No further ones; those on their way arrive now. */
  end(): void;
  readonly count: { late: number };
};

export type LateWritesGiven = {
  readonly seconds: number;
  readonly share: number;
  readonly longest: number;
};

export type LateWritesDeps = {
  readonly random: Random;
  readonly clock: Clock;
  /** Told of each write that arrives, and when its client sent it; `send` carries it out. */
  readonly arrives: (call: ClientCall, sentAt: Instant, send: () => Promise<unknown>) => void;
};

/** The client waits so long at most, in seconds. */
const patience = 2;
const shortest = 0.1;
/** Its client has gone: nobody ends it. */
const never = new AbortController().signal;

export function lateWrites({ random, clock, arrives }: LateWritesDeps): LateWrites {
  let until = instant(0);
  let given: LateWritesGiven = { seconds: 0, share: 0, longest: 0 };
  const count = { late: 0 };
  const onTheWay = new Set<() => void>();
  return {
    count,
    begin(next) {
      given = next;
      until = later(clock.now(), seconds(next.seconds));
    },
    end() {
      until = instant(0);
      for (const arrive of onTheWay) arrive();
    },
    call(call, go) {
      if (clock.now() >= until || !isWrite(call) || isSideline(call)) return go();
      if (random.next() >= given.share) return go();
      count.late += 1;
      const sentAt = clock.now();
      const arrive = (): void => {
        cancel();
        if (onTheWay.delete(arrive)) arrives(call, sentAt, () => go(never));
      };
      const wait = random.next() * patience;
      // Short and long ones are as frequent: the longest may be hundreds of times the shortest.
      const more = shortest * (given.longest / shortest) ** random.next();
      const cancel = clock.after(seconds(wait + more), arrive);
      onTheWay.add(arrive);
      return clock.sleep(seconds(wait), call.signal).then(timedOut);
    },
  };
}

const timedOut = (): never => {
  throw new Unavailable('the request timed out');
};
