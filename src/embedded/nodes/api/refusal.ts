import type { Refusal } from '#edge/kube/outcome.ts';

/** A write the server refused for now: the work is done again on what it has meanwhile. */
export class WriteRefused extends Error {
  readonly refusal: Refusal;
  constructor(what: string, refusal: Refusal) {
    super(`${what}: ${refusal.message}`);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** Others write too; losing against them is no news. */
export const isConflict = (error: unknown): boolean =>
  error instanceof WriteRefused && error.refusal.type === 'conflict';
