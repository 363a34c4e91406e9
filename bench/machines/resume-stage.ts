import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { OperatorWork } from '../../tests/support/sshd/operator.ts';
import { hook, planOf } from '../../tests/support/sshd/plans.ts';
import type { MachinesEffort, MachinesMeasurement } from './figures.ts';
import type { Fleet } from './fleet.ts';
import { startOperator } from './operator-process.ts';

const home = '/root';
const list = `${home}/runs`;

/** The same operation twice: once in peace, once killed in the middle and resumed at once. */
export async function resumeStage(
  fleet: Fleet,
  effort: MachinesEffort,
): Promise<readonly MachinesMeasurement[]> {
  const script = `#!/bin/sh\npwd >>${list}\nsleep ${effort.scriptSeconds}\n`;
  const names = fleet.nodes.map(({ name }) => name);
  const plan = planOf([[hook(script, names, { policy: { onUnknown: 'fail' } })]], {
    parallel: effort.parallel,
  });
  const workOf = (id: string): OperatorWork => ({ id, plan, nodes: fleet.nodes, dataDir: fleet.dataDir() });
  const peace = await startOperator(workOf('peace')).ended;
  forget(fleet);
  const work = workOf('killed');
  const began = performance.now();
  const killed = startOperator(work, (event) => {
    if (event.type === 'task' && event.outcome !== undefined && ++done * 2 >= names.length)
      killed.child.kill('SIGKILL');
  });
  let done = 0;
  await Promise.all([killed.ended, killed.child.exitCode === null && once(killed.child, 'exit')]);
  const resumed = await startOperator(work).ended;
  const total = (performance.now() - began) / 1000;
  if (resumed.state !== 'Succeeded')
    throw new Error(`the resumed operation ended as ${resumed.state ?? 'nothing'}`);
  const { runs, nodes } = counted(fleet);
  if (runs !== names.length || nodes !== names.length)
    throw new Error(`${runs} scripts ran on ${nodes} of ${names.length} nodes: each must run once`);
  const extra = total - peace.seconds;
  return [
    {
      id: 'resume',
      value: extra,
      rounds: [extra],
      details: { peaceSeconds: peace.seconds, totalSeconds: total, doneBeforeKill: done, scriptsRun: runs },
    },
  ];
}

function forget({ servers }: Fleet): void {
  for (const server of servers) rmSync(server.path(list), { force: true });
}

/** A job's folder names its node. */
function counted({ servers }: Fleet): { readonly runs: number; readonly nodes: number } {
  const lines = servers.flatMap((server) =>
    existsSync(server.path(list)) ? readFileSync(server.path(list), 'utf8').trim().split('\n') : [],
  );
  return { runs: lines.length, nodes: new Set(lines).size };
}
