import { clusterFolder, logPath, operationFolder } from '#machines/cli/files/folders.ts';
import type { JobLogPlace } from '#machines/controller/machine-io.ts';
import { dropOldest, noteAttempt } from './output-index.ts';

/** Operations of each cluster whose outputs are kept, and as many scripts of HookRuns. */
const usuallyKept = 200;

type OperationPlace = Pick<JobLogPlace, 'cluster' | 'operation'>;

/** The outputs of scripts on the disk of the controllers, and which of them are still written. */
export class ScriptOutputs {
  readonly dataDir: string;
  readonly #kept: number;
  /** Files by operation: those that were noted, and whether each is still written. */
  readonly #operations = new Map<string, Map<string, boolean>>();

  constructor(dataDir: string, kept: number = usuallyKept) {
    this.dataDir = dataDir;
    this.#kept = kept;
  }

  pathOf({ cluster, operation, node, step, attempt }: JobLogPlace): string {
    return logPath(this.#folder({ cluster, operation }), node, `${step}.${attempt}`);
  }

  /** The file for the output of an attempt that begins, or continues. */
  begin(place: JobLogPlace): string {
    const path = this.pathOf(place);
    const folder = this.#folder(place);
    const known = this.#operations.get(folder) ?? new Map<string, boolean>();
    if (!known.has(path)) noteAttempt(folder, place);
    known.set(path, true);
    this.#operations.set(folder, known);
    if (known.size === 1) this.#dropOldest(place);
    return path;
  }

  /** Nothing is added to the output any more. */
  end(place: JobLogPlace): void {
    const known = this.#operations.get(this.#folder(place));
    const path = this.pathOf(place);
    if (known?.has(path) === true) known.set(path, false);
  }

  /** No script of the operation is followed any more. */
  endAll(place: OperationPlace): void {
    this.#operations.delete(this.#folder(place));
  }

  isOpen(place: JobLogPlace): boolean {
    return this.#operations.get(this.#folder(place))?.get(this.pathOf(place)) === true;
  }

  #dropOldest(place: OperationPlace): void {
    const isInUse = (folder: string): boolean => this.#operations.has(folder);
    dropOldest(this.dataDir, place, { most: this.#kept, isInUse });
  }

  #folder({ cluster, operation }: OperationPlace): string {
    return operationFolder(clusterFolder(this.dataDir, cluster), operation);
  }
}
