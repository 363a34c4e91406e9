/** Ends the command with one sentence and an exit code. */
export class ExitError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'ExitError';
    this.code = code;
  }
}
