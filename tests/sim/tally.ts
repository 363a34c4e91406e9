/** What was played so far. */
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

export function addTo(tally: SimTally, more: SimTally): void {
  tally.worlds += more.worlds;
  tally.histories += more.histories;
  tally.cpu += more.cpu;
  tally.failed = [...tally.failed, ...more.failed];
  addCounts(tally.faults, more.faults);
  addCounts(tally.judged, more.judged);
}

export function addCounts(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
