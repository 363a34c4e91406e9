import { ExitError } from '#command/exit.ts';
import type { ReleaseFlags } from './release-flags.ts';

export type ListFlags = ReleaseFlags & { readonly watch?: boolean };

export async function listCommand(_flags: ListFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
