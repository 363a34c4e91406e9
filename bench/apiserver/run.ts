import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boathookTarget } from './boathook-target.ts';
import { durableWritesPerSecond } from './disk-probe.ts';
import { fullEffort, quickEffort, type Effort } from './effort.ts';
import { emptyStage } from './empty-stage.ts';
import { envtestTarget } from './envtest-target.ts';
import { figures, type FigureId, type Stage } from './figures.ts';
import { freshStage } from './fresh-stage.ts';
import { inProcess } from './in-process.ts';
import type { Measurement } from './measurement.ts';
import { optionsOf, type Options } from './options.ts';
import { podsStage } from './pods-stage.ts';
import { reportOf, tableOf, type Surroundings } from './report.ts';
import type { StageRun } from './stage.ts';
import type { Target } from './target.ts';

/** On the disk that holds the project: a temporary folder is often kept in memory, where fsync means nothing. */
const usualFolder = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

/** Measures the API server and prints what it found. */
export async function runApiserver(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  const parent = options.dir ?? usualFolder;
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  // Also when it is broken off.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const surroundings = lookAround(options, folder);
  const real = envtestTarget(process.env['KUBEBUILDER_ASSETS']);
  const [ours, beside] = await measure(
    [boathookTarget(options.profile), ...(real === undefined ? [] : [real])],
    options,
    folder,
  );
  const called = inProcess(effortOf(options), figuresOf('process', options.ids));
  const report = reportOf(surroundings, [...(ours ?? []), ...called], beside);
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  process.stdout.write(options.output === 'json' ? json : `${tableOf(report)}\n`);
}

const lookAround = ({ quick }: Options, folder: string): Surroundings => ({
  quick,
  node: process.versions.node,
  cores: availableParallelism(),
  durableWritesPerSecond: durableWritesPerSecond(folder),
  loadAverage: loadavg()[0] ?? 0,
});

const stages: readonly { readonly name: Stage; readonly run: typeof emptyStage }[] = [
  { name: 'empty', run: emptyStage },
  { name: 'pods', run: podsStage },
  { name: 'fresh', run: freshStage },
];

/** The servers take turns, so that a machine that grows busier treats them alike. One list per server. */
async function measure(
  targets: readonly Target[],
  options: Options,
  folder: string,
): Promise<readonly (readonly Measurement[])[]> {
  const found: Measurement[][] = targets.map(() => []);
  const effort = effortOf(options);
  for (const { name, run } of stages) {
    const wanted = figuresOf(name, options.ids);
    if (wanted.size === 0) continue;
    for (const [at, target] of targets.entries()) {
      process.stderr.write(`bench: ${target.name}, ${[...wanted].join(', ')}\n`);
      const stage: StageRun = { target, folder: join(folder, `${target.name}-${name}`), effort, wanted };
      found[at]?.push(...(await run(stage)));
    }
  }
  return found;
}

const effortOf = ({ quick }: Options): Effort => (quick ? quickEffort : fullEffort);

function figuresOf(stage: Stage, ids: ReadonlySet<FigureId>): ReadonlySet<FigureId> {
  return new Set(figures.filter((each) => each.stage === stage && ids.has(each.id)).map((each) => each.id));
}
