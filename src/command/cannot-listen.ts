import { ExitError } from './exit.ts';

const codes = ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EACCES'];

/** Explains why an address of a flag cannot be listened on; undefined when the error has another cause. */
export function cannotListen(flags: string, error: unknown): ExitError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!codes.includes(code)) return undefined;
  return new ExitError(
    2,
    `${flags} cannot be listened on (${code}): use an address of this machine, such as 127.0.0.1`,
  );
}
