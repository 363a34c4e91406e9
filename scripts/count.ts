/** How many checks went well. Printed as the last line of every test command: `N passed, N failed`. */
export type Count = { readonly passed: number; readonly failed: number };

export const formatCount = ({ passed, failed }: Count): string => `${passed} passed, ${failed} failed`;

export function parseCount(line: string): Count | undefined {
  const match = /^(\d+) passed, (\d+) failed$/.exec(line.trim());
  return match === null ? undefined : { passed: Number(match[1]), failed: Number(match[2]) };
}

/** A run that ended badly without naming a failure, or that counted nothing at all, has failed once more. */
export function judge(count: Count | undefined, exitCode: number): Count {
  if (count === undefined) return { passed: 0, failed: 1 };
  const silent = count.failed === 0 && (exitCode !== 0 || count.passed === 0);
  return silent ? { ...count, failed: 1 } : count;
}

export const sum = (left: Count, right: Count): Count => ({
  passed: left.passed + right.passed,
  failed: left.failed + right.failed,
});
