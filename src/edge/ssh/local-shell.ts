import { spawn } from 'node:child_process';
import { keepLast, type Channel, type Shell } from './shell.ts';

/** Programs on this machine, as this user: what a connection gives, without one. */
export function openLocalShell(): Shell {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const start = (args: readonly string[], signal: AbortSignal): Channel => {
    signal.throwIfAborted();
    // Its own process group: Ctrl-C in the terminal goes to the operator, which ends the job.
    const child = spawn('/bin/sh', [...args], { stdio: 'pipe', detached: true });
    child.stdin.on('error', () => undefined);
    const ended = new Promise<number | undefined>((resolve) => {
      child.once('error', () => resolve(undefined));
      child.once('close', (code) => resolve(code ?? undefined));
    });
    return {
      input: child.stdin,
      output: child.stdout,
      complaints: keepLast(child.stderr, () => void child.kill('SIGKILL')),
      ended,
      close: () => void child.kill('SIGKILL'),
    };
  };
  return {
    name: 'this machine',
    open: (program, args, signal) => Promise.resolve(start(['-c', program, 'boathook', ...args], signal)),
    closed,
    close,
  };
}
