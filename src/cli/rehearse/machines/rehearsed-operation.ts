import type { Millis } from '#base/time.ts';
import type { Members } from '#machines/cli/files/members.ts';
import type { OperationRequest, RunOptions } from '#machines/cli/files/options.ts';
import type { PreparedOperation } from '#machines/cli/files/prepare.ts';
import type { MachineRules } from './machine-rules.ts';

/** A rehearsal of one operation. */
export type RehearsedOperation = {
  readonly request: OperationRequest;
  readonly options: RunOptions;
  readonly members: Members;
  readonly prepared: PreparedOperation;
  /** The version of the machines before the operation, if it is known. */
  readonly versionBefore: string | undefined;
  readonly rules: MachineRules;
  readonly horizon: Millis;
  /** Copies of files that are sent. */
  readonly copies: string;
  /** What the command would ask before it begins. */
  readonly questions: readonly string[];
  /** Whether the answer is yes. */
  readonly isApproved: boolean;
};
