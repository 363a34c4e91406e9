import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../apiserver/statistics.ts';
import { runCommand, usageOf } from '../cli/run-command.ts';
import { runSuite, type Place, type Stage } from '../suite/run-suite.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type RehearseEffort,
  type RehearseFigureId,
  type RehearseMeasurement,
} from './figures.ts';
import { canaryManifest, clusterManifest } from './manifests.ts';

type Here = Place<RehearseFigureId, RehearseEffort>;

const stages: readonly Stage<RehearseFigureId, RehearseEffort>[] = [
  {
    name: 'canary',
    ids: ['canary'],
    async run({ folder, effort }: Here) {
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'shop.json');
      writeFileSync(file, canaryManifest(effort.pods));
      return [await measured('canary', ['rehearse', '-f', file, '--change', 'image=shop:2'], effort)];
    },
  },
  {
    name: 'upgrade',
    ids: ['upgrade'],
    async run({ folder, effort }: Here) {
      mkdirSync(join(folder, 'hooks'), { recursive: true });
      const file = join(folder, 'cluster.yaml');
      writeFileSync(file, clusterManifest(effort.machines));
      for (const name of ['pre', 'post'])
        writeFileSync(join(folder, 'hooks', name), '#!/bin/sh\n# simulated: sleep 30\ntrue\n', {
          mode: 0o755,
        });
      return [await measured('upgrade', ['rehearse', 'cluster', '-f', file, 'upgrade'], effort)];
    },
  },
];

async function measured(
  id: RehearseFigureId,
  args: readonly string[],
  { rounds: count }: RehearseEffort,
): Promise<RehearseMeasurement> {
  await runCommand(args);
  const rounds: number[] = [];
  for (let round = 0; round < count; round++) rounds.push((await runCommand(args)).millis / 1000);
  const { cpuMillis, peakMegabytes } = await usageOf(args);
  return { id, value: median(rounds), rounds, details: { cpuMillis, peakMegabytes } };
}

/** Measures rehearsals and prints what it found. */
export const runRehearse = (args: readonly string[]): Promise<void> =>
  runSuite({ name: 'rehearse', figures, fullEffort, quickEffort, stages }, args);
