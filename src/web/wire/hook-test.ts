import type { MetricChart } from './hook-pages.ts';

/** `POST /api/hooks/test`: executes the metrics of a HookTemplate once, without a HookRun. */
export type HookTrialBody = {
  /** The topic of the template. */
  readonly topic: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
  /** One metric instead of all. */
  readonly metric?: string;
  /** Another server to call, as `boathook hook test --url-override`. */
  readonly url?: string;
  /** A recorded reply: nothing is called, as `boathook hook test --fixture`. */
  readonly reply?: string;
};

export type HookTrialReply =
  | {
      readonly type: 'tried';
      readonly phase: string;
      readonly message: string;
      readonly charts: readonly MetricChart[];
    }
  /** It could not be tried: a missing argument, an invalid template, no rights. */
  | { readonly type: 'refused'; readonly message: string };
