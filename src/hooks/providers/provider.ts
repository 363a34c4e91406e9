import type { Metric } from '#hooks/kinds/metric.ts';
import type { Reading } from '#hooks/decide/reading.ts';

/** One call that is due. */
export type Question = {
  readonly namespace: string;
  /** The run that asks; it has no name where there is no cluster. */
  readonly run: { readonly name: string; readonly uid: string };
  /** With whose rights objects of the cluster are touched. */
  readonly serviceAccount: string;
  readonly metric: Metric;
  readonly args: ReadonlyMap<string, string>;
  /** Counts the calls of this metric: the same number again after a crash means the same call. */
  readonly attempt: number;
};

/** Asks the outside world. What goes wrong is a reading; only the caller's own abort rejects. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Reading>;
