import { listAt, textAt } from '#base/json.ts';
import type { Answer } from './cluster.ts';

/** An answer a controller cannot go on with. */
export class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(textAt(answer.body, 'message') ?? `the server answered ${answer.status}`);
    this.name = 'Refused';
    this.answer = answer;
  }
}

export const isConflict = (error: unknown): boolean =>
  error instanceof Refused && error.answer.status === 409;

/** The answer to a write into a namespace that is going away (A4). */
export const isTerminating = (answer: Answer): boolean =>
  answer.status === 403 &&
  listAt(answer.body, 'details', 'causes').some(
    (cause) => textAt(cause, 'reason') === 'NamespaceTerminating',
  );
