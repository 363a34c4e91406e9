import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { NewDigest, SimulatedFiles } from '#embedded/machines/files/simulated-files.ts';
import type { MachineLeases } from './leases.ts';
import type { SimulatedJob } from './simulated-job.ts';

export type MachineDeps = {
  readonly hostname: string;
  readonly bootId: string;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly newDigest: NewDigest;
};

/** The state of a simulated machine. All of it is in memory. */
export type MachineParts = MachineDeps & {
  readonly files: SimulatedFiles;
  readonly leases: MachineLeases;
  /** By their folder. */
  readonly jobs: Map<string, SimulatedJob>;
  readonly nextPid: () => number;
};

/** Seconds since 1970. */
export const secondsNow = ({ clock }: MachineDeps): number => clock.now() / 1000;
