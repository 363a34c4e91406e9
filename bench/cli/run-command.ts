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

export type CommandUsage = { readonly peakMegabytes: number; readonly cpuMillis: number };

/** What a command used. It is noted by the command's own process at its end, which takes time: it is a run of its own. */
export async function usageOf(args: readonly string[]): Promise<CommandUsage> {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-bench-'));
  const file = join(folder, 'usage');
  try {
    const hook = new URL('note-usage.ts', import.meta.url).href;
    await runCommand(args, { NODE_OPTIONS: `--import=${hook}`, BENCH_USAGE_FILE: file });
    return JSON.parse(readFileSync(file, 'utf8')) as CommandUsage;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
