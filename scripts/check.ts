import { formatCount } from './count.ts';
import { runTool } from './run-tool.ts';

type Step = { readonly name: string; readonly command: readonly string[] };

const formatCache = ['--cache', '--cache-strategy=content'];

/** Cheapest first. The house tests are also part of `npm test`; here they answer within seconds. */
const steps: readonly Step[] = [
  // Files that have not changed since they were last found in order are not formatted again.
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', ...formatCache, '.'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  // The page runs in a browser: it knows the types of the DOM and none of Node.
  { name: 'types of the page', command: ['tsc', '--noEmit', '-p', 'src/web/page'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'generated files', command: [process.execPath, 'scripts/generate.ts', '--check'] },
  { name: 'house', command: ['vitest', 'run', '--project', 'unit', '--reporter=dot', ...houseTests()] },
];

function houseTests(): readonly string[] {
  return ['tests/house.test.ts', 'tests/documents.test.ts', 'tests/repository.test.ts'];
}

/** Runs every step even after a failure: one run shows all that is wrong. */
async function main(wanted: readonly string[]): Promise<number> {
  const chosen = wanted.length === 0 ? steps : steps.filter(({ name }) => wanted.includes(name));
  const results: string[] = [];
  let failed = 0;
  for (const step of chosen) {
    console.log(`\n> ${step.name}: ${step.command.join(' ')}`);
    const start = performance.now();
    const { code } = await runTool(step.command);
    if (code !== 0) failed += 1;
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
    results.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${step.name}`);
  }
  if (chosen.length === 0) {
    console.error(`No such step. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    failed = 1;
  }
  console.log(`\n${results.join('\n')}\n${formatCount({ passed: results.length - failed, failed })}`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
