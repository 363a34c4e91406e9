import { hook, planOf } from '../../tests/support/sshd/plans.ts';
import { median } from '../apiserver/statistics.ts';
import type { MachinesEffort, MachinesMeasurement } from './figures.ts';
import type { Fleet } from './fleet.ts';
import { runOpenssh } from './openssh.ts';
import { startOperator } from './operator-process.ts';

const script = '#!/bin/sh\necho "hook on $(hostname)"\n';

/** The same script everywhere, by us and by the OpenSSH client in turns. */
export async function hookStage(
  fleet: Fleet,
  effort: MachinesEffort,
): Promise<readonly MachinesMeasurement[]> {
  const { parallel, rounds } = effort;
  const ours: number[] = [];
  const curve: number[] = [];
  const usual: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await runOurs(fleet, effort, `round-${round}`));
    curve.push(await runOpenssh(fleet, script, parallel, ['-o', 'KexAlgorithms=curve25519-sha256']));
    // One is enough of what takes so long.
    if (round === 0) usual.push(await runOpenssh(fleet, script, parallel, []));
  }
  const details = {
    ourSeconds: median(ours),
    opensshSeconds: median(usual),
    opensshCurveSeconds: median(curve),
  };
  return [
    { id: 'hook', value: median(usual) / median(ours), rounds: ours, details },
    { id: 'hook-curve', value: median(curve) / median(ours), rounds: curve, details },
  ];
}

async function runOurs(fleet: Fleet, { parallel }: MachinesEffort, id: string): Promise<number> {
  const names = fleet.nodes.map(({ name }) => name);
  const plan = planOf([[hook(script, names)]], { parallel });
  const { seconds, state } = await startOperator({ id, plan, nodes: fleet.nodes, dataDir: fleet.dataDir() })
    .ended;
  if (state !== 'Succeeded') throw new Error(`the operation ended as ${state ?? 'nothing'}`);
  return seconds;
}
