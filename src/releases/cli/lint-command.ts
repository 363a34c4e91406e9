import { ExitError } from '#command/exit.ts';

export type LintFlags = { readonly filename: readonly string[]; readonly output?: string };

export async function lintCommand(_flags: LintFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
