import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durableWritesPerSecond } from '../apiserver/disk-probe.ts';
import { tableOf, type Report } from '../apiserver/report.ts';
import { registrationsOptions, type RegistrationsOptions } from './chosen-figures.ts';
import { fromCold } from './cold-stage.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type RegistrationsEffort,
  type RegistrationsFigure,
  type RegistrationsMeasurement,
} from './figures.ts';
import { besideHanging } from './hanging-stage.ts';
import { startHookService, type HookService } from './hook-service.ts';
import { startRegistrationsCluster, type RegistrationsCluster } from './registrations-cluster.ts';
import { relist } from './relist-stage.ts';

/** On the disk that holds the project: a temporary folder is often kept in memory, where fsync means nothing. */
const usualFolder = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));

type Stage = {
  readonly name: string;
  /** Which of our controllers run in the server's process. */
  readonly controllers: string;
  run(
    cluster: RegistrationsCluster,
    service: HookService,
    effort: RegistrationsEffort,
  ): Promise<readonly RegistrationsMeasurement[]>;
};

const stages: readonly Stage[] = [
  { name: 'cold', controllers: 'crdregistration', run: fromCold },
  { name: 'relist', controllers: 'none', run: relist },
  { name: 'hanging', controllers: 'crdregistration', run: async (...given) => [await besideHanging(...given)] },
];

/** Measures registrations and prints what it found. */
export async function runRegistrations(args: readonly string[]): Promise<void> {
  const options = registrationsOptions(args);
  const parent = options.dir ?? usualFolder;
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  // Also when it is broken off.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const surroundings = {
    quick: options.quick,
    node: process.versions.node,
    cores: availableParallelism(),
    durableWritesPerSecond: durableWritesPerSecond(folder),
    loadAverage: loadavg()[0] ?? 0,
  };
  const found = await measure(options, folder);
  const wanted = figures.filter(({ id }) => options.ids.has(id));
  const report = { ...surroundings, figures: wanted.flatMap((figure) => rowsOf(figure, found)) };
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  // The table asks nothing of the figures' names, which are all that differs from the API server's report.
  process.stdout.write(options.output === 'json' ? json : `${tableOf(report as unknown as Report)}\n`);
}

async function measure(
  options: RegistrationsOptions,
  folder: string,
): Promise<readonly RegistrationsMeasurement[]> {
  const effort = options.quick ? quickEffort : fullEffort;
  const found: RegistrationsMeasurement[] = [];
  for (const { name, controllers, run } of stages) {
    if (![...options.ids].some((id) => id.startsWith(name))) continue;
    process.stderr.write(`bench: registrations, ${name}\n`);
    const service = await startHookService();
    const place = { folder: join(folder, name), profile: options.profile, controllers };
    const cluster = await startRegistrationsCluster(place);
    try {
      found.push(...(await run(cluster, service, effort)));
    } finally {
      await cluster.stop();
      await service.stop();
    }
  }
  return found;
}

type Row = Omit<Report['figures'][number], 'id'> & { readonly id: string };

function rowsOf(
  figure: RegistrationsFigure,
  found: readonly RegistrationsMeasurement[],
): readonly Row[] {
  return found
    .filter(({ id }) => id === figure.id)
    .map(({ value, details }) => ({
      ...figure,
      real: null,
      measured: value,
      reached: value < figure.target,
      rounds: [value],
      cpuMicrosPerOperation: null,
      details,
      beside: null,
      timesBetter: null,
    }));
}
