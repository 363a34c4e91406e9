import type { Json } from '#base/json.ts';
import type { Evidence, RunPhase } from '#hooks/kinds/hook-run.ts';

/** The phases of a run or metric that has ended. */
export type FinalPhase = Exclude<RunPhase, 'Pending' | 'Running'>;

/** The result of one call of a provider, before conditions are evaluated. */
export type ProviderReading =
  /** A result for the conditions; `value` is its text. Numbers can be NaN or infinite. */
  | { readonly type: 'value'; readonly result: Json; readonly value: string; readonly evidence: Evidence }
  /**
   * A reply without data: an empty vector, a missing key. `noData` decides the phase; if it is not set, conditions
   * are evaluated on `result`, if there is one.
   */
  | {
      readonly type: 'no-data';
      readonly why: string;
      readonly result?: Json;
      readonly evidence: Evidence;
    }
  /** The provider decides the phase; conditions are not evaluated. */
  | {
      readonly type: 'verdict';
      readonly phase: FinalPhase;
      readonly value?: string;
      readonly message?: string;
      readonly evidence: Evidence;
    }
  /** The call failed. */
  | { readonly type: 'error'; readonly message: string; readonly evidence: Evidence };
