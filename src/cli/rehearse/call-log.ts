import type { Measurement } from '#hooks/kinds/hook-run.ts';
import { statusOf } from '#hooks/read.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';

/** The calls of a metric, the oldest first. */
export type LoggedCalls = { readonly metric: string; readonly calls: readonly Measurement[] };

/** All calls of HookRuns: a status keeps the latest ones only. */
export class CallLog {
  readonly #runs = new Map<string, Map<string, Measurement[]>>();

  /** To be told of every change of a HookRun. */
  see(run: KubeObject): void {
    const known = this.#runs.get(uidOf(run)) ?? new Map<string, Measurement[]>();
    this.#runs.set(uidOf(run), known);
    for (const { name, measurements = [] } of statusOf(run).metricResults ?? []) {
      const calls = known.get(name) ?? [];
      known.set(name, calls);
      append(calls, measurements);
    }
  }

  of(run: KubeObject): readonly LoggedCalls[] {
    return [...(this.#runs.get(uidOf(run)) ?? [])].map(([metric, calls]) => ({ metric, calls }));
  }
}

/** A call without a result yet is replaced by its result, or by the next call without one. */
function append(calls: Measurement[], latest: readonly Measurement[]): void {
  const open = calls.at(-1);
  if (open !== undefined && (open.finishedAt === undefined || open.phase === 'Pending')) calls.pop();
  const last = calls.at(-1);
  const at = last === undefined ? -1 : latest.findLastIndex((each) => keyOf(each) === keyOf(last));
  calls.push(...latest.slice(at + 1));
}

/** Calls of a metric are planned at different times. */
const keyOf = ({ plannedAt, startedAt }: Measurement): string => plannedAt ?? startedAt ?? '';
