import { millis, type Clock, type Millis } from '#base/time.ts';
import { timeSince, type ClockReading } from './clock-reading.ts';

/** Keeps the holder of a lease from working longer than it can be sure of the lease. */
export type Fence = {
  readonly signal: AbortSignal;
  isHeld(): boolean;
  /** Whether by the clocks the lease is still ours, even when the term has ended. */
  isOurs(): boolean;
  /** Ends the term when by the clocks it is over; returns whether it continues. */
  check(): boolean;
  renewed(since: ClockReading): void;
  end(reason: Error): void;
  /** From now on nothing may be written. */
  stop(): void;
};

export class LeaseTaken extends Error {
  constructor(message = 'another process is the leader') {
    super(message);
  }
}

/** Aborts when the last renewal is too long ago, even if no answer arrives. */
export function startFence(clock: Clock, span: Millis, signal: AbortSignal): Fence {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  let last: ClockReading | undefined;
  const isOurs = (): boolean => last !== undefined && timeSince(clock, last) < span;
  const lost = (): void => controller.abort(new Error('the lease may be lost'));
  let cancel = (): void => undefined;
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    isHeld: () => !controller.signal.aborted && isOurs(),
    isOurs,
    check() {
      if (!isOurs()) lost();
      return !controller.signal.aborted;
    },
    renewed(since) {
      cancel();
      last = since;
      const left = millis(span - timeSince(clock, since));
      if (left <= 0) lost();
      else cancel = clock.after(left, lost);
    },
    end(reason) {
      if (reason instanceof LeaseTaken) last = undefined;
      controller.abort(reason);
    },
    stop() {
      last = undefined;
      cancel();
      signal.removeEventListener('abort', follow);
    },
  };
}
