import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durableWritesPerSecond } from '../apiserver/disk-probe.ts';
import { tableOf, type Report } from '../apiserver/report.ts';
import { suiteOptions, type SuiteOptions } from './chosen-figures.ts';
import type { Figure, Measurement } from './figure.ts';

/** Where a stage works, and how much it does. */
export type Place<Id extends string, Effort> = {
  /** Of its own, and empty. */
  readonly folder: string;
  readonly effort: Effort;
  readonly options: SuiteOptions<Id>;
};

export type Stage<Id extends string, Effort> = {
  readonly name: string;
  /** The stage runs when one of these is wanted. */
  readonly ids: readonly Id[];
  readonly run: (place: Place<Id, Effort>) => Promise<readonly Measurement<Id>[]>;
};

export type Suite<Id extends string, Effort> = {
  readonly name: string;
  readonly figures: readonly Figure<Id>[];
  readonly fullEffort: Effort;
  readonly quickEffort: Effort;
  readonly stages: readonly Stage<Id, Effort>[];
};

/** On the disk that holds the project: a temporary folder is often kept in memory, where fsync means nothing. */
const usualFolder = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

/** Measures what was asked for, stage by stage, and prints it beside what was promised. */
export async function runSuite<Id extends string, Effort>(
  suite: Suite<Id, Effort>,
  args: readonly string[],
): Promise<void> {
  const options = suiteOptions(args, suite.figures);
  const folder = emptyFolder(options.dir ?? usualFolder);
  const surroundings = {
    quick: options.quick,
    node: process.versions.node,
    cores: availableParallelism(),
    durableWritesPerSecond: durableWritesPerSecond(folder),
    loadAverage: loadavg()[0] ?? 0,
  };
  const effort = options.quick ? suite.quickEffort : suite.fullEffort;
  const found: Measurement<Id>[] = [];
  for (const stage of suite.stages.filter(({ ids }) => ids.some((id) => options.ids.has(id)))) {
    process.stderr.write(`bench: ${suite.name}, ${stage.name}\n`);
    found.push(...(await stage.run({ folder: join(folder, stage.ids[0] ?? ''), effort, options })));
  }
  const wanted = suite.figures.filter(({ id }) => options.ids.has(id));
  print({ ...surroundings, figures: wanted.flatMap((figure) => rowsOf(figure, found)) }, options);
}

function emptyFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  // Also when it is broken off.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Row = Omit<Report['figures'][number], 'id'> & { readonly id: string };
type Printed = Omit<Report, 'figures'> & { readonly figures: readonly Row[] };

function print(report: Printed, { jsonFile, output }: SuiteOptions<string>): void {
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (jsonFile !== undefined) writeFileSync(jsonFile, json);
  // The table asks nothing of the figures' names, which are all that differs from the API server's report.
  process.stdout.write(output === 'json' ? json : `${tableOf(report as unknown as Report)}\n`);
}

function rowsOf(figure: Figure, found: readonly Measurement[]): readonly Row[] {
  const { aim, target } = figure;
  return found
    .filter(({ id }) => id === figure.id)
    .map(({ value, rounds = [value], cpuMicrosPerOperation = null, details }) => ({
      ...figure,
      real: null,
      measured: value,
      reached: aim === 'below' ? value < target : value >= target,
      rounds,
      cpuMicrosPerOperation,
      details,
      beside: null,
      timesBetter: null,
    }));
}
