import { expect, test } from 'vitest';
import type { OperationOutcome, OperationReport, RehearsedMachine, StoppedTask } from './operation-report.ts';
import { operationShares } from './operation-shares.ts';

const names = ['m1', 'm2', 'm3', 'm4', 'm5'];
let seed = 0;

const reportOf = (outcome: OperationOutcome): OperationReport => {
  seed += 1;
  const machines = names.map((node) => ({ node }) as Partial<RehearsedMachine> as RehearsedMachine);
  return { seed, outcome, machines } as Partial<OperationReport> as OperationReport;
};

const completes = (): OperationReport => reportOf({ type: 'Completes' });

function fails(...stops: readonly (readonly [step: string, node: string, why?: string])[]): OperationReport {
  const failures = stops.map(([step, node, why]): StoppedTask => ({
    node,
    step,
    message: why ?? `${step} ended with exit code 1`,
  }));
  const [first] = failures;
  const message = `${first?.node ?? ''}: ${first?.message ?? ''}`;
  return reportOf({ type: 'Fails', message, failures, remedies: [] });
}

const sharesOf = (reports: readonly OperationReport[]): readonly string[] =>
  operationShares(reports).map(({ type, runs, message }) => `${runs} ${type} ${message}`.trim());

test('the same step on many machines is one outcome', () => {
  const reports = ['m2', 'm3', 'm1', 'm5', 'm3', 'm4'].map((node) => fails(['PreUpgrade', node]));
  expect(sharesOf([completes(), ...reports])).toEqual([
    '6 Fails PreUpgrade on m3, m2, m1 and 2 other machines, such as m2: PreUpgrade ended with exit code 1',
    '1 Completes',
  ]);
});

test('other steps are other outcomes, and each names its step once', () => {
  const down = 'root@192.0.2.2 cannot be reached';
  expect(
    sharesOf([
      fails(['PreUpgrade', 'm2', down]),
      fails(['upgrade', 'm2', down]),
      fails(['upgrade', 'm2', down]),
      fails(['PostUpgrade', 'm2']),
      fails(['login', 'm2', down]),
    ]),
  ).toEqual([
    `2 Fails at upgrade, m2: ${down}`,
    `1 Fails at PreUpgrade, m2: ${down}`,
    '1 Fails m2: PostUpgrade ended with exit code 1',
    `1 Fails m2: ${down}`,
  ]);
});

test('what a master does for other machines is about these', () => {
  const drains = [fails(['drain of m2', 'm1', 'drain failed']), fails(['drain of m3', 'm1', 'drain failed'])];
  expect(sharesOf(drains)).toEqual(['2 Fails drain on m2, m3, such as m1: drain failed']);
});

test('several machines of one rehearsal', () => {
  const both = fails(['join-worker', 'm2'], ['join-worker', 'm3']);
  expect(sharesOf([both, fails(['join-worker', 'm3'])])).toEqual([
    '2 Fails join-worker on m3, m2, such as m2: join-worker ended with exit code 1',
  ]);
});

test('the seed is that of the first one', () => {
  const reports = [completes(), fails(['PreUpgrade', 'm3']), fails(['PreUpgrade', 'm2'])];
  expect(operationShares(reports).map((each) => each.seed)).toEqual([reports[1]?.seed, reports[0]?.seed]);
});
