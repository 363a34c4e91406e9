import { percentile } from '../apiserver/statistics.ts';
import type { Calls } from './hook-service.ts';

const interval = 1000;

export type Lateness = {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly calls: number;
  /** Slots in which no call came. Each counts as a call that is late by a whole interval. */
  readonly missed: number;
};

export type Span = { readonly from: number; readonly to: number };

/** How late the calls of these runs came, seen by whom they called, in a span of time. */
export function latenessOf(calls: Calls, starts: ReadonlyMap<string, number>, span: Span): Lateness {
  const late: number[] = [];
  let missed = 0;
  for (const [run, start] of starts) {
    const first = Math.ceil((span.from - start) / interval);
    const last = Math.floor((span.to - start) / interval);
    const arrivals = new Map<number, number>();
    for (const arrived of calls.get(run) ?? []) {
      const slot = Math.floor((arrived - start) / interval);
      if (slot >= first && slot < last && !arrivals.has(slot))
        arrivals.set(slot, arrived - start - slot * interval);
    }
    missed += Math.max(0, last - first - arrivals.size);
    late.push(...arrivals.values());
  }
  const all = [...late, ...Array.from({ length: missed }, () => interval)];
  return {
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    most: Math.max(...all),
    calls: late.length,
    missed,
  };
}
