import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

// A benchmark that is broken off leaves no servers behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

export type Child = { readonly process: ChildProcess; readonly pid: number; stop(): Promise<void> };

/** Starts a program that runs until it is stopped. */
export async function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<Child> {
  const child = spawn(command, args, options);
  await once(child, 'spawn');
  running.add(child);
  const gone = once(child, 'exit').then(() => running.delete(child));
  return {
    process: child,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await gone;
      clearTimeout(impatient);
    },
  };
}
