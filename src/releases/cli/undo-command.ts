import { ExitError } from '#command/exit.ts';
import type { ActFlags } from './act-command.ts';

export type UndoFlags = ActFlags & { readonly toRevision?: string };

export async function undoCommand(_workload: string, _flags: UndoFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}
