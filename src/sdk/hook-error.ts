/** An error that is reported in the reply. */
export class HookError extends Error {
  /** True: another call will not help. */
  readonly permanent: boolean;
  /** True: nothing is applied; in finalize the instance stays. */
  readonly halt: boolean;

  constructor(
    message: string,
    { permanent = false, halt = true }: { permanent?: boolean; halt?: boolean } = {},
  ) {
    super(message);
    this.name = 'HookError';
    this.permanent = permanent;
    this.halt = halt;
  }
}
