import type { OutcomeShare } from '#rehearse/outcome-share.ts';
import { machineName } from './operation-lines.ts';
import type { OperationOutcome, OperationReport, StoppedTask } from './operation-report.ts';

/** Outcomes that stop at the same steps are one, on whichever machines: the most frequent ones first. */
export function operationShares(
  reports: readonly OperationReport[],
): readonly OutcomeShare<OperationOutcome['type']>[] {
  const groups = new Map<string, OperationReport[]>();
  for (const report of reports) {
    const key = [report.outcome.type, ...stepsOf(stopsOf(report))].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].flatMap(shareOf).toSorted((left, right) => right.runs - left.runs);
}

function shareOf(group: readonly OperationReport[]): readonly OutcomeShare<OperationOutcome['type']>[] {
  const [first] = group;
  if (first === undefined) return [];
  const { outcome, seed } = first;
  return [{ type: outcome.type, runs: group.length, seed, message: messageOf(group, first) }];
}

function messageOf(group: readonly OperationReport[], first: OperationReport): string {
  const message = 'message' in first.outcome ? first.outcome.message : '';
  const steps = stepsOf(stopsOf(first));
  const machines = new Map<string, number>();
  for (const { node } of group.flatMap(stopsOf)) machines.set(node, (machines.get(node) ?? 0) + 1);
  const names = [...machines].toSorted(([, left], [, right]) => right - left).map(([name]) => name);
  if (names.length > 1) return `${steps.join(', ')} on ${namesText(names)}, such as ${message}`;
  const isNamed = steps.every((step) => step === login || message.includes(step));
  return isNamed ? message : `at ${steps.join(', ')}, ${message}`;
}

/** A machine that cannot be reached is at no step. */
const login = 'login';
const most = 3;

const namesText = (names: readonly string[]): string =>
  names.length <= most + 1
    ? names.map(machineName).join(', ')
    : `${names.slice(0, most).map(machineName).join(', ')} and ${names.length - most} other machines`;

const stepsOf = (stops: readonly StoppedTask[]): readonly string[] =>
  [...new Set(stops.map(({ step }) => step))].toSorted();

/** Where an operation stops. What one machine does for another, as `drain of m2`, is about the other one. */
function stopsOf({ outcome, machines }: OperationReport): readonly StoppedTask[] {
  if (!('failures' in outcome)) return [];
  return outcome.failures.map((stop) => {
    const other = machines.find(({ node }) => stop.step.endsWith(` of ${node}`))?.node;
    return other === undefined
      ? stop
      : { ...stop, node: other, step: stop.step.slice(0, -` of ${other}`.length) };
  });
}
