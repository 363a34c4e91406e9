import { ExitError } from '#command/exit.ts';
import type { ReleaseFlags } from './release-flags.ts';
export async function diffCommand(
  _workload: string,
  _revisions: { readonly from: string | undefined; readonly to: string | undefined },
  _flags: ReleaseFlags,
): Promise<number> {
  throw new ExitError(1, 'not built');
}
