import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { durableWritesPerSecond } from '../apiserver/disk-probe.ts';
import { optionsOf } from '../apiserver/options.ts';
import { tableOf, type Report } from '../apiserver/report.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type MachinesEffort,
  type MachinesFigure,
  type MachinesFigureId,
  type MachinesMeasurement,
} from './figures.ts';
import { openFleet, type Fleet } from './fleet.ts';
import { hookStage } from './hook-stage.ts';
import { memoryStage } from './memory-stage.ts';
import { resumeStage } from './resume-stage.ts';

type Stage = {
  readonly name: string;
  readonly ids: readonly MachinesFigureId[];
  readonly run: (fleet: Fleet, effort: MachinesEffort) => Promise<readonly MachinesMeasurement[]>;
};

const stages: readonly Stage[] = [
  { name: 'hook', ids: ['hook', 'hook-curve'], run: hookStage },
  { name: 'memory', ids: ['memory'], run: memoryStage },
  { name: 'resume', ids: ['resume'], run: resumeStage },
];

/** `npm run bench -- machines`: real OpenSSH servers on loopback addresses. */
export async function runMachines(args: readonly string[]): Promise<void> {
  const { only, rest } = splitOnly(args);
  const options = optionsOf(rest);
  const effort = options.quick ? quickEffort : fullEffort;
  const parent = options.dir ?? tmpdir();
  mkdirSync(parent, { recursive: true });
  const surroundings = {
    quick: options.quick,
    node: process.versions.node,
    cores: availableParallelism(),
    durableWritesPerSecond: durableWritesPerSecond(parent),
    loadAverage: loadavg()[0] ?? 0,
  };
  const found: MachinesMeasurement[] = [];
  for (const stage of stages.filter(({ ids }) => ids.some((id) => only.size === 0 || only.has(id)))) {
    process.stderr.write(`bench: machines, ${stage.name}\n`);
    await using fleet = await openFleet(effort.hosts);
    found.push(...(await stage.run(fleet, effort)));
  }
  const rows = figures.flatMap((figure) => rowsOf(figure, found));
  const report = { ...surroundings, figures: rows };
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  // The table asks nothing of the figures' names, which are all that differs from the API server's report.
  process.stdout.write(options.output === 'json' ? json : `${tableOf(report as unknown as Report)}\n`);
}

/** `--only` names figures of this benchmark; the other flags are those of the API server's. */
function splitOnly(args: readonly string[]): { only: ReadonlySet<string>; rest: readonly string[] } {
  const only = new Set<string>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const names =
      arg === '--only' ? args[++at] : arg.startsWith('--only=') ? arg.slice('--only='.length) : undefined;
    if (names === undefined) rest.push(arg);
    else for (const name of names.split(',')) only.add(name);
  }
  const unknown = [...only].filter((name) => !figures.some(({ id }) => id === name));
  if (unknown.length === 0) return { only, rest };
  const known = figures.map(({ id }) => id).join(', ');
  const error = new Error(`--only names ${unknown.join(', ')}, which does not exist: choose from ${known}`);
  error.name = 'BadUsage';
  throw error;
}

type Row = Omit<Report['figures'][number], 'id'> & { readonly id: string };

function rowsOf(figure: MachinesFigure, found: readonly MachinesMeasurement[]): readonly Row[] {
  const { aim, target } = figure;
  return found
    .filter(({ id }) => id === figure.id)
    .map(({ value, rounds, details }) => ({
      ...figure,
      real: null,
      measured: value,
      reached: aim === 'below' ? value < target : value >= target,
      rounds,
      cpuMicrosPerOperation: null,
      details,
      beside: null,
      timesBetter: null,
    }));
}
