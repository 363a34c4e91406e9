import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The environment in which the tools of node_modules find each other and the Node that runs this script. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''];
  return { ...process.env, PATH: path.join(delimiter) };
}

export type Finished = { readonly code: number; readonly lastLine: string };

/** Runs a command from the root of the project and shows its output; a command that cannot start has code 127. */
export function runTool(
  command: readonly string[],
  output: 'inherit' | 'watch' = 'inherit',
): Promise<Finished> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const stdout = output === 'watch' ? 'pipe' : 'inherit';
    const child = spawn(program, args, {
      cwd: root,
      env: toolEnvironment(),
      stdio: ['ignore', stdout, 'inherit'],
    });
    let lastLine = '';
    let unfinished = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      const lines = (unfinished + chunk.toString('utf8')).split('\n');
      unfinished = lines.pop() ?? '';
      lastLine = lines.findLast((line) => line.trim() !== '') ?? lastLine;
    });
    child.on('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      resolve({ code: 127, lastLine });
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, lastLine: unfinished.trim() === '' ? lastLine : unfinished });
    });
  });
}
