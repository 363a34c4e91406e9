import type { Address } from './connection.ts';

/** A server under test, running. */
export type Running = {
  readonly address: Address;
  /** Processes whose memory and processor time count. */
  readonly pids: readonly number[];
  /** From the start of the process until `/readyz` said ok. */
  readonly startSeconds: number;
  stop(): Promise<void>;
};

/** A server that can be measured. */
export type Target = {
  readonly name: string;
  /** Starts it on what an earlier start left in the folder, and waits until it is ready. */
  start(folder: string): Promise<Running>;
};
