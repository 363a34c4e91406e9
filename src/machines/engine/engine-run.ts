import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';

export const stoppedText =
  'This operator was stopped; the next operator continues the jobs that run on the nodes.';

export type Running = {
  readonly session: NodeSession;
  /** The job on the node that it waits for now: its own, or one that may still run there. */
  readonly job: () => string | undefined;
  /** Ends a task that has not started a job yet, such as a copy. */
  readonly stop: AbortController;
  readonly ended: Promise<void>;
};

/** The tasks that run, and what can interrupt them. */
export type EngineRun = {
  readonly running: Set<Running>;
  /** Ends waiting for nodes that do not answer. */
  readonly hurry: AbortController;
  readonly takenOver: (node: string) => void;
  readonly leave: () => void;
  /** A task cannot go on, for example because the journal cannot be written: the run ends with this error. */
  readonly broken: (error: unknown) => void;
  /** Why nothing more is started or recorded. */
  readonly isTaken: () => string | undefined;
  readonly throwIfBroken: () => void;
  /** Settles at the next change. */
  readonly changed: () => Promise<void>;
  readonly wake: () => void;
};

export function openEngineRun(operationLog: OperationLog): EngineRun {
  let taken: string | undefined;
  let failure: { readonly error: unknown } | undefined;
  let bell = Promise.withResolvers<void>();
  const wake = (): void => {
    bell.resolve();
    bell = Promise.withResolvers<void>();
  };
  return {
    running: new Set(),
    hurry: new AbortController(),
    takenOver(node) {
      taken ??= `Another operator has taken ${node} over: this operator stops and leaves the running scripts to the other one.`;
      operationLog.emit({ type: 'notice', node, message: taken });
      wake();
    },
    leave() {
      taken ??= stoppedText;
      wake();
    },
    broken(error) {
      // Who leaves, or was taken over, records nothing more.
      if (taken === undefined) failure = { error };
      taken ??= String(error);
      wake();
    },
    isTaken: () => taken,
    throwIfBroken() {
      if (failure !== undefined) throw failure.error;
    },
    changed: () => bell.promise,
    wake,
  };
}
