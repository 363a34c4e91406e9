import type { RunView } from '#releases/decide/view/run-view.ts';
import type { PageEvent } from './page-event.ts';

/** One call of a metric. */
export type MeasurementPoint = {
  /** RFC 3339. */
  readonly time: string;
  readonly phase: string;
  /** A number for the chart, if the value is one. */
  readonly number?: number;
  readonly value: string;
  readonly message: string;
  readonly latencyMillis?: number;
  /** The request, without secrets: method and URL, or the query. */
  readonly request?: string;
  /** The beginning of the reply, without secrets. */
  readonly reply?: string;
  /** The evaluated conditions, such as `asInt(result) < 30 is false (asInt(result) = 45)`. */
  readonly evaluation?: string;
};

export type MetricChart = {
  readonly metric: string;
  readonly phase: string;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  /** The thresholds in the conditions, to draw lines. */
  readonly thresholds: readonly { readonly value: number; readonly label: string }[];
  readonly points: readonly MeasurementPoint[];
};

export type HookRunPage = {
  readonly run: RunView;
  readonly namespace: string;
  /** The topic of the release that it belongs to. */
  readonly release?: string;
  readonly charts: readonly MetricChart[];
  readonly args: readonly { readonly name: string; readonly value: string }[];
  readonly events: readonly PageEvent[];
};

export type TemplatePage = {
  readonly namespace: string;
  readonly name: string;
  readonly isValid: boolean;
  readonly message: string;
  /** YAML of the object. */
  readonly text: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
  readonly metrics: readonly string[];
  /** Topics of the last runs made from it. */
  readonly runs: readonly {
    readonly topic: string;
    readonly name: string;
    readonly phase: string;
    readonly created: string;
  }[];
};
