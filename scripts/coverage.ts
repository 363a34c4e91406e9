import { runTool } from './run-tool.ts';

/**
 * `npm run coverage`: runs the unit tests and stories and writes which lines they reach to the folder `coverage`. What
 * only real programs reach (kubectl, sshd, browsers) is not counted, since it runs in other processes.
 */
const { code } = await runTool([
  'vitest',
  'run',
  '--project',
  'unit',
  '--reporter=dot',
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.include=src/**/*.ts',
  '--coverage.exclude=**/*.test.ts',
  '--coverage.exclude=**/testing/**',
  '--coverage.reporter=text-summary',
  '--coverage.reporter=html',
  '--coverage.reporter=lcovonly',
  ...process.argv.slice(2),
]);
process.exitCode = code;
