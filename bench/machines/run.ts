import { runSuite, type Place } from '../suite/run-suite.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type MachinesEffort,
  type MachinesFigureId,
  type MachinesMeasurement,
} from './figures.ts';
import { openFleet, type Fleet } from './fleet.ts';
import { hookStage } from './hook-stage.ts';
import { memoryStage } from './memory-stage.ts';
import { resumeStage } from './resume-stage.ts';

type Act = (fleet: Fleet, effort: MachinesEffort) => Promise<readonly MachinesMeasurement[]>;

/** `npm run bench -- machines`: real OpenSSH servers on loopback addresses. */
export const runMachines = (args: readonly string[]): Promise<void> =>
  runSuite<MachinesFigureId, MachinesEffort>(
    {
      name: 'machines',
      figures,
      fullEffort,
      quickEffort,
      stages: [
        { name: 'hook', ids: ['hook', 'hook-curve'], run: withFleet(hookStage) },
        { name: 'memory', ids: ['memory'], run: withFleet(memoryStage) },
        { name: 'resume', ids: ['resume'], run: withFleet(resumeStage) },
      ],
    },
    args,
  );

const withFleet =
  (act: Act) =>
  async ({ effort }: Place<MachinesFigureId, MachinesEffort>) => {
    await using fleet = await openFleet(effort.hosts);
    return await act(fleet, effort);
  };
