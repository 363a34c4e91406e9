import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './cli-cluster.ts';

export type Ran = { readonly millis: number; readonly out: string };

/** Runs `./boathook` to its end, with its output in a pipe. Fails when the command fails. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const began = performance.now();
  const child = spawn(join(root, 'boathook'), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const millis = performance.now() - began;
  if (code !== 0) throw new Error(`boathook ${args.join(' ')} ended with ${code}: ${error}`);
  return { millis, out };
}

/** The most memory that a command had, in megabytes. It is read by the command's own process at its end. */
export async function peakMegabytes(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-bench-'));
  const file = join(folder, 'status');
  try {
    const hook = new URL('note-memory.ts', import.meta.url).href;
    await runCommand(args, { NODE_OPTIONS: `--import=${hook}`, BENCH_MEMORY_FILE: file });
    return (Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1]) * 1.024) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
