import type { Tasks } from '#base/tasks.ts';
import type { Clock, Millis } from '#base/time.ts';
import type { NewDigest, SimulatedFiles } from '#embedded/machines/files/simulated-files.ts';
import type { MachineLeases } from './leases.ts';
import type { SimulatedJob } from './simulated-job.ts';

/** A script as it starts: the ids of its operation and step as the operator names them. */
export type StartedScript = { readonly operation: string; readonly step: string };

/** What a script does in place of what its text says. */
export type ScriptedRun = {
  /** How long it takes; undefined: as long as its text says. */
  readonly span?: Millis;
  /** It ends with this exit code; undefined: its text is run and decides. */
  readonly exit?: number;
  /** Everything in its text takes so many times as long. */
  readonly slowness?: number;
  /** Called with its exit code; undefined: it was ended from outside, or with its machine. */
  readonly ended?: (code: number | undefined) => void;
};

export type MachineDeps = {
  readonly hostname: string;
  readonly bootId: string;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly newDigest: NewDigest;
  /** Called when a script starts. */
  readonly scripted?: (script: StartedScript) => ScriptedRun | undefined;
  /** How long a program takes that is not run, by its command line; undefined: as long as usual. */
  readonly programSpan?: (command: string) => Millis | undefined;
};

/** The state of a simulated machine. All of it is in memory. */
export type MachineParts = MachineDeps & {
  /** Another one after each boot. */
  bootId: string;
  readonly files: SimulatedFiles;
  readonly leases: MachineLeases;
  /** By their folder. */
  readonly jobs: Map<string, SimulatedJob>;
  readonly nextPid: () => number;
};

/** Seconds since 1970. */
export const secondsNow = ({ clock }: MachineDeps): number => clock.now() / 1000;
