import { ExitError } from '#command/exit.ts';
import { localNode, nodesOf, stepsOf, type MachinePlan, type PlanStep } from '#machines/decide/plan.ts';
import type { MachineRules } from './machine-rules.ts';
import { stepTitle } from './step-titles.ts';

/**
 * The steps that a text means: `pre-upgrade` means PreUpgrade, on all machines. Their titles, as the report has them, come
 * before parts of their ids: `upgrade` is a title, and the stage of `upgrade-first`.
 */
export function stepsNamed(plan: MachinePlan, text: string): ReadonlySet<string> {
  const wanted = plain(text);
  const names = nodesOf(plan);
  const steps = stepsOf(plan).filter(isScript);
  const isTitled = (step: PlanStep): boolean =>
    plain(step.title) === wanted ||
    step.targets.some(({ node }) => plain(stepTitle(step, node, names)) === wanted);
  const meanings: readonly ((step: PlanStep) => boolean)[] = [
    isTitled,
    ({ id }) => id.split('/').some((part) => plain(part) === wanted),
    ({ id }) => plain(id).includes(wanted),
  ];
  const found = meanings.map((isMeant) => steps.filter(isMeant)).find((each) => each.length > 0) ?? [];
  return new Set(found.map(({ id }) => id));
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const isScript = ({ kind }: PlanStep): boolean => kind === 'hook' || kind === 'install';

/** Ends the command when a rule names a machine or a step that the plan does not have. */
export function checkRules(plan: MachinePlan, { spans, failures, troubles }: MachineRules): void {
  const machines = [...nodesOf(plan), localNode];
  const steps = [
    ...spans.map((rule) => ({ flag: '--step', ...rule })),
    ...failures.map((rule) => ({ flag: '--fail', ...rule })),
    ...troubles.map((rule) => ({ flag: '--machine', ...rule })),
  ];
  for (const rule of steps) {
    const node = 'node' in rule ? rule.node : undefined;
    if (node !== undefined && node !== '*' && !machines.includes(node))
      throw new ExitError(
        2,
        `${rule.flag}: the operation does not concern a machine ${node}: choose from ${nodesOf(plan).join(', ')}`,
      );
    if ('step' in rule && rule.step !== undefined) checkStep(plan, { ...rule, node, step: rule.step });
  }
}

/** `node`: undefined when it is for all machines and this computer. */
type StepRule = { readonly flag: string; readonly node: string | undefined; readonly step: string };

function checkStep(plan: MachinePlan, { flag, node, step }: StepRule): void {
  const named = stepsNamed(plan, step);
  if (named.size === 0)
    throw new ExitError(2, `${flag}: no script is called ${step}: choose from ${titlesOf(plan)}`);
  if (node === undefined) return;
  const meant = stepsOf(plan).filter(({ id }) => named.has(id));
  const where = [...new Set(meant.flatMap(({ targets }) => targets.map((target) => target.node)))];
  const isThere = node === '*' ? where.some((each) => each !== localNode) : where.includes(node);
  if (!isThere)
    throw new ExitError(
      2,
      `${flag}: ${step} does not run on ${node === '*' ? 'a machine' : node}: choose from ${where.join(', ')}`,
    );
}

const titlesOf = (plan: MachinePlan): string =>
  [
    ...new Set(
      stepsOf(plan)
        .filter(isScript)
        .map(({ title }) => title),
    ),
  ].join(', ') || 'none, the plan has no script';
