import type { MachinePlan } from '#machines/decide/plan.ts';
import { planJson, planOutline, planTable } from '#machines/decide/print-plan.ts';
import { terminalWidth } from '#command/terminal-width.ts';
import { earlierOf } from './earlier.ts';
import type { Members } from './members.ts';
import type { OperationRequest, RunOptions } from './options.ts';
import type { PreparedOperation } from './prepare.ts';
import { prepareRollback, rollbackOfAll } from './rollback.ts';

const write = (text: string): void => void process.stdout.write(text);

/** Prints the plan in short before an operation. */
export function showOutline(plan: MachinePlan, { json }: RunOptions): void {
  write(
    json ? `${JSON.stringify({ type: 'plan', plan: planJson(plan) })}\n` : planOutline(plan, terminalWidth()),
  );
}

type Shown = {
  readonly request: OperationRequest;
  readonly prepared: PreparedOperation;
  readonly members: Members;
  readonly folder: string;
};

/** Prints the whole plan, and the rollback of a failure at its last step. */
export async function showPlan(
  { request, prepared, members, folder }: Shown,
  options: RunOptions,
): Promise<void> {
  const { plan } = prepared;
  const earlier = earlierOf(folder, plan.operation);
  const undo = rollbackOfAll({ request, prepared, options });
  const rollback = undo && (await prepareRollback(undo, members, prepared)).plan;
  if (options.json) {
    write(`${JSON.stringify(planJson(plan, earlier, rollback), null, 2)}\n`);
    return;
  }
  write(planTable(plan, earlier, terminalWidth()));
  if (rollback === undefined) return;
  write(
    '\nrollback, if it fails; only where this operation made something itself (--rollback=false keeps it):\n',
  );
  write(planTable(rollback, undefined, terminalWidth()));
}
