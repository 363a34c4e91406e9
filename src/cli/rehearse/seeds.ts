import { ExitError } from '#command/exit.ts';
import { wholeOf } from './rehearse-flags.ts';

const mostSeed = 4_294_967_295;

/** The seeds of a rehearsal: `--seed` and those after it, `--runs` of them. */
export type SeedRange = { readonly first: number; readonly runs: number };

export function seedsOf(seed: string, runs: string): SeedRange {
  const range = { first: wholeOf('--seed', seed, mostSeed), runs: wholeOf('--runs', runs, 100_000) };
  if (range.runs === 0) throw new ExitError(2, '--runs 0 rehearses nothing: give 1 or more');
  return range;
}

/** Rehearses with each seed; a terminal shows how many are done. */
export async function rehearsedSeeds<Report>(
  { first, runs }: SeedRange,
  rehearse: (seed: number) => Promise<Report>,
): Promise<readonly [Report, ...Report[]]> {
  const isShown = runs > 1 && process.stderr.isTTY;
  const rehearseOne = async (run: number): Promise<Report> => {
    const report = await rehearse((first + run) % (mostSeed + 1));
    if (isShown) process.stderr.write(`\r${run + 1} of ${runs} rehearsals`);
    return report;
  };
  const reports: [Report, ...Report[]] = [await rehearseOne(0)];
  for (let run = 1; run < runs; run += 1) reports.push(await rehearseOne(run));
  if (isShown) process.stderr.write('\r\u001b[K');
  return reports;
}
