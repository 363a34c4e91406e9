import { join } from 'node:path';
import { printAside } from '#command/print.ts';
import { ExitError } from '#command/exit.ts';
import type { RunningMachines } from './start-machines.ts';

/** The folder of the keys and files of the simulated machines. */
export const machinesFolder = (dataDir: string): string => join(dataDir, 'simulated-machines');

/** Sources of the Clusters of examples: the only folder here that may be delivered to machines. */
export const exampleFiles = (folder: string): string => join(folder, 'files');

/** The simulated machines of a control plane: none until they are wanted. */
export class MachineFleet {
  readonly folder: string;
  #running: Promise<RunningMachines> | undefined;

  constructor(dataDir: string) {
    this.folder = machinesFolder(dataDir);
  }

  /** Those that run, or so many new ones. */
  start(count: number): Promise<RunningMachines> {
    this.#running ??= this.#launch(count);
    return this.#running;
  }

  async #launch(count: number): Promise<RunningMachines> {
    try {
      const { startMachines } = await import('./start-machines.ts');
      const running = await startMachines(this.folder, count);
      void this.#watch(running);
      return running;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  async #watch({ ended }: RunningMachines): Promise<void> {
    const wasClosed = await ended;
    this.#running = undefined;
    if (!wasClosed) printAside('boathook: the process of the simulated machines has ended');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.then(
      (running) => running.close(),
      () => undefined,
    );
  }
}

/** `--machines N`: starts them; returns lines with where they are and the file of a Cluster of them. */
export async function wantedMachines(fleet: MachineFleet, count: number): Promise<string | undefined> {
  if (count === 0) return undefined;
  const { machines, clusterFile } = await fleet.start(count).catch((error: unknown) => {
    throw new ExitError(2, `--machines ${count}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const [first, last] = [machines[0], machines.at(-1)].map(
    (each) => `${each?.address ?? ''}:${each?.port ?? ''}`,
  );
  const where = machines.length === 1 ? first : `${first} to ${last}`;
  return `simulated machines at ${where}\na Cluster of them: kubectl apply -f ${clusterFile}\n`;
}
