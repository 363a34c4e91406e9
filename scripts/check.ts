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

type Result = { readonly step: Step; readonly code: number; readonly seconds: number };

async function run(step: Step): Promise<Result> {
  console.log(`\n> ${step.name}: ${step.command.join(' ')}`);
  const start = performance.now();
  const { code } = await runTool(step.command);
  return { step, code, seconds: (performance.now() - start) / 1000 };
}

/** One after the other. */
async function runAll(chosen: readonly Step[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const step of chosen) results.push(await run(step));
  return results;
}

/**
 * Runs every step even after a failure: one run shows all that is wrong. The format, which takes longest, has one core
 * for itself and prints nothing but what is wrong.
 */
async function main(wanted: readonly string[]): Promise<number> {
  const chosen = wanted.length === 0 ? steps : steps.filter(({ name }) => wanted.includes(name));
  const lanes = [chosen.filter(isFormat), chosen.filter((step) => !isFormat(step))];
  const results = (await Promise.all(lanes.map(runAll))).flat();
  let failed = results.filter(({ code }) => code !== 0).length;
  if (chosen.length === 0) {
    console.error(`No such step. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    failed = 1;
  }
  const lines = results.map(
    ({ step, code, seconds }) =>
      `${code === 0 ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${step.name}`,
  );
  console.log(
    `\n${lines.join('\n')}\n${formatCount({ passed: Math.max(0, results.length - failed), failed })}`,
  );
  return failed === 0 ? 0 : 1;
}

const isFormat = ({ name }: Step): boolean => name === 'format';

process.exitCode = await main(process.argv.slice(2));
