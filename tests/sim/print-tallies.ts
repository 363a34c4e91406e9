import { historiesOf, type SimJob, type Tallies } from './play-sorts.ts';
import { sumOf, type SimTally } from './tally.ts';
import type { SortName } from './world-sorts.ts';

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** What was played, for each sort and in all; `took`: in seconds. */
export function tallyLines(tallies: Tallies, took: number, { seed }: SimJob): readonly string[] {
  const all = [...tallies.values()];
  const failed = all.flatMap((each) => each.failed).length;
  const worlds = all.reduce((sum, each) => sum + each.worlds, 0);
  return [
    ...[...tallies].flatMap(([sort, tally]) => sortLines(sort, tally, seed)),
    `${countText(historiesOf(tallies), took)} in ${worlds} worlds`,
    `${worlds - failed} worlds passed, ${failed} failed`,
  ];
}

const countText = (histories: number, took: number): string =>
  `${histories} histories in ${took.toFixed(1)} s (${Math.round((histories / took) * 60)} a minute)`;

function sortLines(sort: SortName, tally: SimTally, seed: number): readonly string[] {
  const { histories, worlds, faults, judged, cpu } = tally;
  if (worlds === 0) return [`${sort}: nothing was played`];
  const each = (count: number): string => (count / Math.max(1, histories)).toFixed(1);
  return [
    `${sort}: ${histories} histories in ${worlds} worlds, seeds ${seed} to ${seed + worlds - 1}, ${each(cpu)} ms of processor time and ${each(sumOf(faults))} faults for each`,
    `  faults: ${listed(faults)}`,
    `  seen and judged: ${listed(judged)}`,
  ];
}
