import type { Count } from './count.ts';

/** The part of Vitest's JSON report that is read here. */
export type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly title?: string;
      readonly status: string;
    }[];
  }[];
};

/** Counts tests; a file that failed without a failed test in it (it did not load) is one failure. */
export function countReport(report: Report): Count {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/** Names of tests that were there and did not run: nothing is left out without being named. */
export function notRun(report: Report): readonly string[] {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => fullName),
  );
}
