import type { Millis } from '#base/time.ts';

/** The stage of a call: waiting for its turn, a connection, the headers, the body. */
export type CallStage = 'turn' | 'connect' | 'headers' | 'body';

/** The call ran out of time. */
export class OutOfTime extends Error {}

/** The state of one call. */
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
