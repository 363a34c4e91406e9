import { ExitError } from '#command/exit.ts';
import type { ReleaseFlags } from './release-flags.ts';
export async function historyCommand(_workload: string, _flags: ReleaseFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
