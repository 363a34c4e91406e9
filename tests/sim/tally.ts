import type { SeedResult } from './play-seed.ts';

/** What was played of one sort so far. */
export type SimTally = {
  worlds: number;
  histories: number;
  failed: number[];
  /** Processor time in milliseconds. */
  cpu: number;
  readonly faults: Record<string, number>;
  readonly judged: Record<string, number>;
};

export const newTally = (): SimTally => ({
  worlds: 0,
  histories: 0,
  failed: [],
  cpu: 0,
  faults: {},
  judged: {},
});

export function addTo(tally: SimTally, seed: number, result: SeedResult): void {
  tally.worlds += 1;
  tally.histories += result.histories;
  tally.cpu += result.cpu;
  if (result.complaints.length > 0) tally.failed.push(seed);
  addCounts(tally.faults, result.faults);
  addCounts(tally.judged, result.judged);
}

export function addCounts(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
