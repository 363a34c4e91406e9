import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { SecretRef } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import type { Secret } from '#edge/secret.ts';

/** The I/O that the engine needs. */
export type EngineIo = {
  readonly clock: Clock;
  readonly random: Random;
  readonly machines: Machines;
  readonly secret: (ref: SecretRef) => Promise<Secret>;
  /** The operation's journal: settles when the record is durable. */
  readonly append: (record: JournalRecord) => Promise<void>;
  readonly emit: (event: ProgressEvent) => void;
  /** A local script: its content, and its digest as plans write it. */
  readonly source: (path: string) => Promise<{ readonly content: Uint8Array; readonly digest: string }>;
  readonly artifacts: {
    read(name: string): Promise<Uint8Array | undefined>;
    write(name: string, content: Uint8Array): Promise<void>;
  };
  /** Where the whole output of a job is kept. */
  readonly logFile: (task: {
    readonly step: string;
    readonly node: string;
    readonly attempt: number;
  }) => string;
  /** Plans again from the files of the user, which may have changed. */
  readonly replan?: () => Promise<MachinePlan>;
  /** Calls the listener when a retry is requested; returns how to unsubscribe. */
  readonly onRetry?: (listener: () => void) => () => void;
};
