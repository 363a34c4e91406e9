import { ExitError } from '#command/exit.ts';
import type { ActFlags } from './act-command.ts';
export async function setImageCommand(
  _workload: string,
  _images: readonly string[],
  _flags: ActFlags,
): Promise<number> {
  throw new ExitError(1, 'not built');
}
