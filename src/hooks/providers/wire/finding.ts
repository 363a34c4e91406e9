/** A mistake in a HookTemplate. With an error no run made from it can work; a warning is probably not intended. */
export type Finding = {
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
};
