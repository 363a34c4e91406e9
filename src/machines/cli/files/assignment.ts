import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import type { Members } from './members.ts';
import type { OperationRequest, RunOptions } from './options.ts';
import type { PreparedOperation } from './prepare.ts';

/** One operation to run or to resume. */
export type Assignment = {
  readonly id: string;
  readonly request: OperationRequest;
  readonly prepared: PreparedOperation;
  readonly records: readonly JournalRecord[];
  readonly clusterFolder: string;
  readonly members: Members;
  readonly options: RunOptions;
  /** The part of the plan to run now. The operation stays open after it has succeeded. */
  readonly part?: (plan: MachinePlan) => MachinePlan;
  /** The plan of all parts, where only one is run now. */
  readonly whole?: MachinePlan;
};
