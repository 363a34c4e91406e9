import type { Json } from '#base/json.ts';
import type { Evidence, RunPhase } from '#hooks/kinds/hook-run.ts';

/** The phases in which nothing changes any more. */
export type FinalPhase = Exclude<RunPhase, 'Pending' | 'Running'>;

/** What a provider brought back from one call, before any condition was looked at. */
export type ProviderReading =
  /** A result for the conditions; `value` is its text. Numbers may be NaN or infinite. */
  | { readonly type: 'value'; readonly result: Json; readonly value: string; readonly evidence: Evidence }
  /**
   * The far end answered and had nothing to say: an empty vector, a missing key. `noData` decides what it means;
   * unless it is given, the conditions are asked about `result`, if there is one.
   */
  | {
      readonly type: 'no-data';
      readonly why: string;
      readonly result?: Json;
      readonly evidence: Evidence;
    }
  /** The provider judges by itself; conditions are not asked. */
  | {
      readonly type: 'verdict';
      readonly phase: FinalPhase;
      readonly value?: string;
      readonly message?: string;
      readonly evidence: Evidence;
    }
  /** The call did not work. */
  | { readonly type: 'error'; readonly message: string; readonly evidence: Evidence };
