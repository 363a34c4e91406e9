import type { StartedScript } from '#embedded/machines/machine/machine-parts.ts';
import { takenBack, type BegunScript } from './taken-back.ts';

/** A script that runs on a machine. */
type Running = { readonly key: string };

const keyOf = (node: string, { operation, step }: StartedScript): string => `${operation} ${step}@${node}`;

/** Watches all scripts of a world. Nothing is asked of the engine. */
export class ScriptJudge {
  readonly complaints: string[] = [];
  /** Starts of scripts so far. */
  starts = 0;
  /** Rollbacks that were judged. */
  rollbacks = 0;
  readonly #running = new Map<string, Running>();
  readonly #finished = new Set<string>();
  readonly #begun = new Map<string, BegunScript>();

  started(node: string, script: StartedScript): void {
    this.starts += 1;
    const key = keyOf(node, script);
    if (this.#finished.has(key)) this.complaints.push(`${key} has finished and runs again`);
    const other = this.#running.get(node);
    if (other !== undefined) this.complaints.push(`${key} starts on ${node} while ${other.key} runs there`);
    this.#running.set(node, { key });
    this.#begun.set(key, { node, ...script });
  }

  /** `code`: undefined when it was ended from outside. 93: it found its work done. */
  ended(node: string, script: StartedScript, code: number | undefined): void {
    const key = keyOf(node, script);
    if (this.#running.get(node)?.key === key) this.#running.delete(node);
    if (code === 0 || code === 93) this.#finished.add(key);
    const begun = this.#begun.get(key);
    if (begun !== undefined && code !== undefined) this.#begun.set(key, { ...begun, code });
  }

  /**
   * A rollback of the operation has ended well: what ran on the machines that it took back may run again. `sent`: what
   * its operator sent to machines; when a connection is lost nobody can know whether it was started.
   */
  rolledBack(operation: string, rollback: string, sent: readonly Omit<BegunScript, 'operation'>[]): void {
    this.rollbacks += 1;
    const unseen = sent
      .map((each) => ({ ...each, operation: rollback }))
      .filter((each) => !this.#begun.has(keyOf(each.node, each)));
    const nodes = takenBack([...this.#begun.values(), ...unseen], { operation, rollback });
    for (const [key, each] of this.#begun)
      if (each.operation === operation && nodes.has(each.node)) {
        this.#finished.delete(key);
        this.#begun.delete(key);
      }
  }
}
