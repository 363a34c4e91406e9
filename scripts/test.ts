import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCount, judge } from './count.ts';
import { runTool } from './run-tool.ts';
import { needs, provide, thisSystem } from './system-needs.ts';
import { countReport, notRun, type Report } from './vitest-report.ts';

/** `npm test`: provides what the tests need, runs them all, and says the count in its last line. */
async function main(args: readonly string[]): Promise<number> {
  const provided = provide(needs, thisSystem());
  if (provided.type === 'refused') {
    console.log(`${provided.why}\n${formatCount({ passed: 0, failed: 1 })}`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'boathook-test-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { code } = await runTool(['vitest', 'run', ...reporters, ...args]);
    const report = readReport(file);
    if (report !== undefined) nameNotRun(notRun(report));
    const count = judge(report === undefined ? undefined : countReport(report), code);
    console.log(formatCount(count));
    return count.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch (error) {
    console.log(`Vitest left no readable report: ${String(error)}`);
    return undefined;
  }
}

function nameNotRun(names: readonly string[]): void {
  if (names.length === 0) return;
  const shown = names.slice(0, 20).map((name) => `  ${name}`);
  const more = names.length > shown.length ? [`  and ${names.length - shown.length} more`] : [];
  console.log([`${names.length} not run:`, ...shown, ...more].join('\n'));
}

process.exitCode = await main(process.argv.slice(2));
