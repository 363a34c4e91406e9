import type { RehearsalReport, RehearsedBudget } from './rehearsal-report.ts';
import { clockText } from './span-text.ts';

/** `unmeetable`: there are fewer pods than it wants, whatever the release does. */
export type BudgetVerdict = 'kept' | 'violated' | 'unmeetable';

/** `lowest`: the least number of pods of the release that are in service. */
export function budgetVerdict({ wanted, pods, others }: RehearsedBudget, lowest: number): BudgetVerdict {
  if (lowest + others >= wanted) return 'kept';
  return wanted > pods ? 'unmeetable' : 'violated';
}

export const budgetLines = ({ budgets, ...report }: RehearsalReport): readonly string[] =>
  budgets.map((budget) => `PodDisruptionBudget ${budget.name} ${budgetText(budget, report)}`);

function budgetText(
  budget: RehearsedBudget,
  {
    availability: { lowest, lowestAt },
    isScaledOnly,
  }: Pick<RehearsalReport, 'availability' | 'isScaledOnly'>,
): string {
  const { wanted, pods, others } = budget;
  switch (budgetVerdict(budget, lowest)) {
    case 'kept':
      return `wants ${wanted} in service and is kept.`;
    case 'unmeetable':
      return `cannot be met: it wants ${wanted} in service, and there are only ${pods} pods; it allows no eviction and no update in place then, so lower what it wants.`;
    case 'violated':
      return `is violated: it wants ${wanted} in service, and ${lowest + others} are at ${clockText(lowestAt)}${isScaledOnly ? '' : advice}.`;
  }
}

/** Updates that replace pods do not ask budgets; evictions and updates in place do. */
const advice = '; updates that replace pods go by maxUnavailable alone, so lower that';
