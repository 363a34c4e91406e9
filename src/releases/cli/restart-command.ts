import { ExitError } from '#command/exit.ts';
import type { ActFlags } from './act-command.ts';
export async function restartCommand(_workload: string, _flags: ActFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
