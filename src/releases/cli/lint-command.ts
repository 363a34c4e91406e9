import { ExitError } from '#command/exit.ts';

export type ReleaseLintFlags = { readonly filename: readonly string[]; readonly output?: string };

export async function lintCommand(_flags: ReleaseLintFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
