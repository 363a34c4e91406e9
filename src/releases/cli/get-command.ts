import { ExitError } from '#command/exit.ts';
import type { ReleaseFlags } from './release-flags.ts';

export type GetFlags = ReleaseFlags & { readonly watch?: boolean };

export async function getCommand(_workload: string, _flags: GetFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
