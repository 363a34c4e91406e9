import type { StartedScript } from '#embedded/machines/machine/machine-parts.ts';

/** A script that runs on a machine. */
type Running = { readonly key: string };

const keyOf = (node: string, { operation, step }: StartedScript): string => `${operation} ${step}@${node}`;

/** Watches all scripts of a world. Nothing is asked of the engine. */
export class ScriptJudge {
  readonly complaints: string[] = [];
  /** Starts of scripts so far. */
  starts = 0;
  readonly #running = new Map<string, Running>();
  readonly #finished = new Set<string>();

  started(node: string, script: StartedScript): void {
    this.starts += 1;
    const key = keyOf(node, script);
    if (this.#finished.has(key)) this.complaints.push(`${key} has finished and runs again`);
    const other = this.#running.get(node);
    if (other !== undefined) this.complaints.push(`${key} starts on ${node} while ${other.key} runs there`);
    this.#running.set(node, { key });
  }

  /** `code`: undefined when it was ended from outside. 93: it found its work done. */
  ended(node: string, script: StartedScript, code: number | undefined): void {
    const key = keyOf(node, script);
    if (this.#running.get(node)?.key === key) this.#running.delete(node);
    if (code === 0 || code === 93) this.#finished.add(key);
  }

  /** A rollback has taken these tasks back, by `step@node`: they may run again. */
  undone(operation: string, tasks: readonly string[]): void {
    for (const task of tasks) this.#finished.delete(`${operation} ${task}`);
  }
}
