import type { WorldPlan } from './plan-world.ts';
import type { WorldSort } from './world-sort.ts';

export const sortNames = [
  'releases',
  'disruptions',
  'budgets',
  'hookruns',
  'machines',
  'registrations',
] as const;
export type SortName = (typeof sortNames)[number];

/** The sort of this name. Only what it needs is loaded. */
export async function loadSort(name: SortName): Promise<WorldSort<unknown>> {
  switch (name) {
    case 'machines':
      return anySort((await import('./machines/machine-worlds.ts')).machineWorlds);
    case 'registrations':
      return anySort((await import('./registrations/registration-worlds.ts')).registrationWorlds);
    case 'releases':
      return withWorkloads((await import('./plan-world.ts')).planWorld);
    case 'disruptions':
      return withWorkloads((await import('./plan-disruptions.ts')).planDisruptions);
    case 'budgets':
      return withWorkloads((await import('./plan-shared-budgets.ts')).planSharedBudgets);
    case 'hookruns':
      return withWorkloads((await import('./plan-hook-runs.ts')).planHookRuns);
  }
}

async function withWorkloads(plan: WorldSort<WorldPlan>['plan']): Promise<WorldSort<unknown>> {
  const { playWorld } = await import('./play-world.ts');
  const { smallerWorlds } = await import('./smaller-worlds.ts');
  return anySort({ plan, play: playWorld, smaller: smallerWorlds });
}

/** Whoever plays a sort gives it plans of its own only. */
const anySort = <Plan>(sort: WorldSort<Plan>): WorldSort<unknown> => sort as WorldSort<unknown>;
