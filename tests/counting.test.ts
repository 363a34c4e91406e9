import { expect, test } from 'vitest';
import { formatCount, judge, parseCount, sum } from '../scripts/count.ts';
import { countReport, notRun, type Report } from '../scripts/vitest-report.ts';

const file = (status: string, ...tests: readonly string[]): Report['testResults'][number] => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((each, i) => ({ fullName: `test ${i}`, status: each })),
});

const report = (...testResults: Report['testResults']): Report => {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (status: string): number => all.filter((each) => each.status === status).length;
  return { numPassedTests: count('passed'), numFailedTests: count('failed'), testResults };
};

test.for([
  {
    name: 'all is well',
    report: report(file('passed', 'passed', 'passed')),
    count: { passed: 2, failed: 0 },
  },
  {
    name: 'a test failed',
    report: report(file('failed', 'passed', 'failed')),
    count: { passed: 1, failed: 1 },
  },
  { name: 'a file did not load', report: report(file('failed')), count: { passed: 0, failed: 1 } },
  {
    name: 'a hook broke after good tests',
    report: report(file('failed', 'passed')),
    count: { passed: 1, failed: 1 },
  },
])('a report is counted: $name', ({ report, count }) => {
  expect(countReport(report)).toEqual(count);
});

test('tests that did not run are named', () => {
  expect(notRun(report(file('passed', 'passed', 'skipped', 'pending', 'todo')))).toEqual([
    'test 1',
    'test 2',
    'test 3',
  ]);
});

test.for([
  { name: 'success', count: { passed: 3, failed: 0 }, code: 0, verdict: '3 passed, 0 failed' },
  { name: 'no report', count: undefined, code: 1, verdict: '0 passed, 1 failed' },
  { name: 'no report and yet code 0', count: undefined, code: 0, verdict: '0 passed, 1 failed' },
  { name: 'no tests', count: { passed: 0, failed: 0 }, code: 0, verdict: '0 passed, 1 failed' },
  { name: 'good tests, bad exit', count: { passed: 3, failed: 0 }, code: 1, verdict: '3 passed, 1 failed' },
  { name: 'bad tests, bad exit', count: { passed: 3, failed: 2 }, code: 1, verdict: '3 passed, 2 failed' },
])('a run is judged: $name', ({ count, code, verdict }) => {
  expect(formatCount(judge(count, code))).toBe(verdict);
});

test('the last line can be read back and added up', () => {
  expect(parseCount('12 passed, 3 failed\n')).toEqual({ passed: 12, failed: 3 });
  expect(parseCount('Tests  12 passed, 3 failed')).toBeUndefined();
  expect(sum({ passed: 1, failed: 2 }, { passed: 3, failed: 4 })).toEqual({ passed: 4, failed: 6 });
});
