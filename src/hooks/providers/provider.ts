import type { RunScript } from '#machines/decide/objects/script.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';

/** One call that is due. */
export type MetricCall = {
  readonly namespace: string;
  /** The HookRun; it has no name where there is no cluster. */
  readonly run: { readonly name: string; readonly uid: string };
  /** The ServiceAccount whose permissions apply to objects of the cluster. */
  readonly serviceAccount: string;
  readonly metric: Metric;
  readonly args: ReadonlyMap<string, string>;
  /** The number of the call of this metric. A call that is repeated after a crash has the same number. */
  readonly attempt: number;
};

/** Makes one call. A failure is a reading; the promise rejects only when the signal aborts. */
export type AskMetric = (question: MetricCall, signal: AbortSignal) => Promise<ProviderReading>;

/** The same for one provider, which gets its fields of the metric. */
export type ProviderAsk<Spec> = {
  ask(question: MetricCall & { readonly spec: Spec }, signal: AbortSignal): Promise<ProviderReading>;
}['ask'];

/** What providers need for their calls. */
export type ProviderDeps = Pick<ControlDeps, 'outgoing' | 'clock' | 'random' | 'hmac' | 'impersonate'> & {
  readonly readSecret: ReadSecret;
  /** Access to machines; absent when the controller has none. */
  readonly scripts?: ScriptAccess | undefined;
};

/** Runs scripts on machines, and keeps their result on the HookRun. */
export type ScriptAccess = Pick<ControlDeps, 'client' | 'report'> & { readonly runScript: RunScript };
