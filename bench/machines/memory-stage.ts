import { readFileSync } from 'node:fs';
import { hook, planOf } from '../../tests/support/sshd/plans.ts';
import type { MachinesEffort, MachinesMeasurement } from './figures.ts';
import type { Fleet } from './fleet.ts';
import { startOperator } from './operator-process.ts';

const sampleMillis = 250;
/** So much of each stream is brought home from every host. */
const keptBytes = 1024 * 1024;

/** Every host prints much more than is kept; the operator's memory is looked at while it goes on. */
export async function memoryStage(
  fleet: Fleet,
  effort: MachinesEffort,
): Promise<readonly MachinesMeasurement[]> {
  const bytes = effort.printedMegabytes * 1_000_000;
  const script = `#!/bin/sh\nhead -c ${bytes} /dev/zero | tr '\\000' x\necho\n`;
  const names = fleet.nodes.map(({ name }) => name);
  const plan = planOf([[hook(script, names, { policy: { outputLimit: keptBytes } })]], {
    parallel: effort.parallel,
  });
  const run = startOperator({ id: 'memory', plan, nodes: fleet.nodes, dataDir: fleet.dataDir() });
  const samples: number[] = [];
  const timer = setInterval(() => {
    const now = residentMegabytes(run.child.pid ?? 0);
    if (now > 0) samples.push(now);
  }, sampleMillis);
  const { seconds, state, megabytes } = await run.ended;
  clearInterval(timer);
  if (state !== 'Succeeded') throw new Error(`the operation ended as ${state ?? 'nothing'}`);
  const half = Math.floor(samples.length / 2);
  const most = (part: readonly number[]): number => Math.max(0, ...part);
  return [
    {
      id: 'memory',
      value: megabytes,
      rounds: [megabytes],
      // Flat: the second half needs no more than the first.
      details: {
        seconds,
        firstHalfPeak: most(samples.slice(0, half)),
        secondHalfPeak: most(samples.slice(half)),
      },
    },
  ];
}

function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1.024) / 1000;
  } catch {
    // Gone between two looks.
    return 0;
  }
}
