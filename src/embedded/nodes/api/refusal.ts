import type { Refusal } from '#edge/kube/outcome.ts';

/** The server refused a write: the key is retried on newer objects. */
export class WriteRefused extends Error {
  readonly refusal: Refusal;
  constructor(what: string, refusal: Refusal) {
    super(`${what}: ${refusal.message}`);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** A conflict with another writer is expected and is not logged. */
export const isConflict = (error: unknown): boolean =>
  error instanceof WriteRefused && error.refusal.type === 'conflict';
