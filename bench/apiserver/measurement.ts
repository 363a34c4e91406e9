import type { Rate } from './load.ts';
import type { FigureId } from './figures.ts';
import { median } from './statistics.ts';

/** What was found for one figure on one server. */
export type Measurement = {
  readonly id: FigureId;
  readonly value: number;
  readonly rounds: readonly number[];
  /** Processor time of the server per request: steadier than the rest when the machine is busy. */
  readonly cpuMicrosPerOperation?: number;
  readonly details?: Readonly<Record<string, number>>;
};

export function ofRate(id: FigureId, rate: Rate): Measurement {
  const { perSecond, rounds, cpuMicrosPerOperation, p50, p99 } = rate;
  return {
    id,
    value: perSecond,
    rounds,
    cpuMicrosPerOperation,
    details: { p50Millis: p50, p99Millis: p99 },
  };
}

export type Timed = { readonly value: number; readonly cpuMicros: number };

/** The median of things that were done several times, in whatever the figure counts. */
export function ofTimes(
  id: FigureId,
  times: readonly Timed[],
  details: Readonly<Record<string, number>> = {},
): Measurement {
  return {
    id,
    value: median(times.map((each) => each.value)),
    rounds: times.map((each) => each.value),
    // The mean: the kernel counts in steps of 10 ms, so one short operation alone shows none or too much.
    cpuMicrosPerOperation: times.reduce((sum, each) => sum + each.cpuMicros, 0) / times.length,
    details,
  };
}
