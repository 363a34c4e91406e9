import { formatCount, judge, parseCount, sum, type Count } from './count.ts';
import { runTool } from './run-tool.ts';

/** What continuous integration runs: the same two commands a person runs, their counts added up. */
async function main(): Promise<number> {
  let total: Count = { passed: 0, failed: 0 };
  for (const command of [
    ['npm', 'run', '--silent', 'check'],
    ['npm', 'test', '--silent'],
  ]) {
    const { code, lastLine } = await runTool(command, 'watch');
    total = sum(total, judge(parseCount(lastLine), code));
  }
  console.log(formatCount(total));
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
