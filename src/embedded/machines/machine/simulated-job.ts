import type { JobStream } from '#edge/ssh/frames.ts';
import { CappedOutput, type OutputLimits } from './capped-output.ts';

type OutputPiece = { readonly stream: JobStream; readonly bytes: Uint8Array };

/** A script that runs or has run on a simulated machine. */
export class SimulatedJob {
  readonly pid: number;
  /** Seconds since 1970. */
  readonly since: number;
  /** Cluster, node, operation, step and fingerprint, as the operator names them. */
  readonly about: string;
  readonly pieces: OutputPiece[] = [];
  readonly stdout: CappedOutput;
  readonly stderr: CappedOutput;
  readonly #stopped = new AbortController();
  readonly #listeners = new Set<() => void>();
  #why: 'cancelled' | 'timed-out' | undefined;
  #end: string | undefined;

  constructor({ pid, since, about }: Pick<SimulatedJob, 'pid' | 'since' | 'about'>, limits: OutputLimits) {
    this.pid = pid;
    this.since = since;
    this.about = about;
    const keep = (stream: JobStream) => new CappedOutput(limits, (bytes) => this.#piece({ stream, bytes }));
    this.stdout = keep('stdout');
    this.stderr = keep('stderr');
  }

  /** How it ended, in the words of a runner; undefined while it runs. */
  get outcome(): string | undefined {
    return this.#end;
  }

  /** Aborted when the script is to end. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  stop(why: 'cancelled' | 'timed-out'): void {
    this.#why ??= why;
    this.#stopped.abort(new Error(why));
  }

  /** Its machine boots: a script that has not ended never has a result. */
  vanish(): void {
    if (this.#end !== undefined) return;
    this.#end = 'outcome=rebooted';
    this.#stopped.abort(new Error('the machine has crashed'));
    this.#wake();
  }

  /**
   * `code`: undefined when it was ended from outside; one that has come to its end has its own code, though it was to be
   * ended in the same moment. False: its machine has crashed in this moment, and it has no result.
   */
  end(code: number | undefined): boolean {
    if (this.#end !== undefined) return false;
    this.stdout.end();
    this.stderr.end();
    const outcome = code === undefined ? (this.#why ?? 'exited') : 'exited';
    this.#end = `outcome=${outcome} code=${code ?? 143} escaped=`;
    this.#wake();
    return true;
  }

  refuse(): void {
    this.#end = 'outcome=refused';
    this.#wake();
  }

  /** Settles when something was printed, or it has ended. */
  async changed(): Promise<void> {
    await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  #piece(piece: OutputPiece): void {
    this.pieces.push(piece);
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of waiting) listener();
  }
}
