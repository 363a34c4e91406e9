import type { Figure, Measurement } from '../suite/figure.ts';

/** What machine hooks promise, in the order of the table. */
export const figures = [
  { id: 'hook', title: 'hook on 200 hosts versus OpenSSH as it comes', unit: 'x', aim: 'from', target: 4 },
  { id: 'hook-curve', title: 'the same versus OpenSSH with curve25519', unit: 'x', aim: 'from', target: 1 },
  {
    id: 'memory',
    title: 'operator memory, every host prints 100 MB',
    unit: 'MB',
    aim: 'below',
    target: 200,
  },
  { id: 'resume', title: 'resume after kill -9, extra time', unit: 's', aim: 'below', target: 5 },
] as const satisfies readonly Figure[];

export type MachinesFigureId = (typeof figures)[number]['id'];

export type MachinesMeasurement = Measurement<MachinesFigureId>;

/** How much is done. */
export type MachinesEffort = {
  readonly hosts: number;
  readonly parallel: number;
  readonly rounds: number;
  readonly printedMegabytes: number;
  /** How long the script of the resumed operation takes. */
  readonly scriptSeconds: number;
};

export const fullEffort: MachinesEffort = {
  hosts: 200,
  parallel: 50,
  rounds: 3,
  printedMegabytes: 100,
  scriptSeconds: 1,
};

export const quickEffort: MachinesEffort = {
  hosts: 6,
  parallel: 3,
  rounds: 1,
  printedMegabytes: 5,
  scriptSeconds: 0.3,
};
