import { ExitError } from '#command/exit.ts';
import type { ReleaseFlags } from './release-flags.ts';

export type StatusFlags = ReleaseFlags & { readonly watch?: boolean };

export async function statusCommand(_workload: string, _flags: StatusFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
