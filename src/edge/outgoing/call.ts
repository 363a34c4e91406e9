import type { Millis } from '#base/time.ts';

/** How far a call has come: it waits for its turn, for a connection, for an answer, for the rest of it. */
export type CallStage = 'turn' | 'connect' | 'headers' | 'body';

/** The call ran out of time. */
export class OutOfTime extends Error {}

/** What one call knows of itself while it lasts. */
export type OutgoingCall = {
  stage: CallStage;
  /** Bytes of the body so far. */
  received: number;
  readonly timeout: Millis;
  /** Set while something can be interrupted. */
  interrupt: ((error: Error) => void) | undefined;
  /** Why it was stopped, when it was. */
  stopped: Error | undefined;
  begin(interrupt: (error: Error) => void): void;
  stop(error: Error): void;
};

export function beginCall(timeout: Millis): OutgoingCall {
  const call: OutgoingCall = {
    stage: 'turn',
    received: 0,
    timeout,
    interrupt: undefined,
    stopped: undefined,
    begin(interrupt) {
      call.stage = 'turn';
      call.received = 0;
      call.interrupt = interrupt;
    },
    stop(error) {
      call.stopped ??= error;
      call.interrupt?.(error);
    },
  };
  return call;
}
