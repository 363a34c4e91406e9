import { ExitError } from '#command/exit.ts';
import type { ReleaseFlags } from './release-flags.ts';

export type ActFlags = ReleaseFlags & { readonly reason?: string };
export type PromoteFlags = ActFlags & {
  readonly full?: boolean;
  readonly toStep?: string;
  readonly skipHook?: boolean;
};

export async function promoteCommand(_workload: string, _flags: PromoteFlags): Promise<number> {
  throw new ExitError(1, 'not built');
}

export async function actCommand(
  _verb: 'pause' | 'resume' | 'abort' | 'retry',
  _workload: string,
  _flags: ActFlags,
): Promise<number> {
  throw new ExitError(1, 'not built');
}
