import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Fleet } from './fleet.ts';

/** Runs a script on every node with the OpenSSH client, one process each, so many at a time; the seconds it took. */
export async function runOpenssh(
  { nodes, key }: Fleet,
  script: string,
  parallel: number,
  options: readonly string[],
): Promise<number> {
  const began = performance.now();
  const left = [...nodes];
  const worker = async (): Promise<void> => {
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      await runOnce(
        ['-p', String(node.port), '-i', key, ...usual, ...options, `root@${node.address}`],
        script,
      );
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return (performance.now() - began) / 1000;
}

/** No questions, no files of whoever runs it. */
const usual = [
  '-F',
  '/dev/null',
  '-o',
  'BatchMode=yes',
  '-o',
  'StrictHostKeyChecking=no',
  '-o',
  'UserKnownHostsFile=/dev/null',
  '-o',
  'LogLevel=ERROR',
];

async function runOnce(args: readonly string[], script: string): Promise<void> {
  const child = spawn('ssh', [...args, '/bin/sh -s'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(script);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`ssh ended with ${code}`);
}
