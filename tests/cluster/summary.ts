import { basename } from 'node:path';
import type { Report } from '../../scripts/vitest-report.ts';
import { reasonAgainst } from './story-needs.ts';
import type { TestCluster } from './test-cluster.ts';

/** The outcome of a run: a line for each file, the reasons of what did not run, and the sums. */
export function summary(report: Report, cluster: Pick<TestCluster, 'hasControllers'>): readonly string[] {
  const files = report.testResults
    .map(({ name, assertionResults }) => {
      const file = basename(name);
      const of = (status: string): number => assertionResults.filter((each) => each.status === status).length;
      const [passed, failed] = [of('passed'), of('failed')];
      const reasons = new Set(
        assertionResults
          .filter(({ status }) => status !== 'passed' && status !== 'failed')
          .map(({ title = '' }) => reasonAgainst(file, title, cluster) ?? 'skipped'),
      );
      return { file, total: assertionResults.length, passed, failed, reasons: [...reasons] };
    })
    .toSorted((left, right) => (left.file < right.file ? -1 : 1));
  const sum = (pick: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + pick(file), 0);
  const [total, passed, failed] = [
    sum((each) => each.total),
    sum((each) => each.passed),
    sum((each) => each.failed),
  ];
  return [
    'stories  passed  failed  not applicable  file',
    ...files.flatMap((each) => [
      row([each.total, each.passed, each.failed, each.total - each.passed - each.failed], each.file),
      ...each.reasons.map((reason) => `${' '.repeat(41)}${reason}`),
    ]),
    `${total} stories in ${files.length} files: ${passed} passed, ${failed} failed, ${total - passed - failed} not applicable`,
  ];
}

const row = (numbers: readonly number[], file: string): string =>
  `${numbers.map((number, at) => String(number).padStart([7, 6, 6, 14][at] ?? 0)).join('  ')}  ${file}`;
