import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export type Setting = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Its own process group, which is what a key pressed in a terminal reaches as a whole. */
  readonly inTerminal?: true;
};

/** How a program ended, and what it said. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
};

/** Runs a program to its end. */
export async function runProgram(
  file: string,
  args: readonly string[],
  setting: Setting = {},
): Promise<Ended> {
  const child = startChild(file, args, setting);
  const [out, error, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, out, error };
}

/** A program that goes on by itself while its lines are read. */
export type Following = {
  readonly pid: number;
  /** The next line of its output; rejects when there will be none. */
  line(): Promise<string>;
  /** Reads on until a line fits. */
  lineLike(pattern: RegExp): Promise<string>;
  /** Everything it wrote to its error output so far. */
  errors(): string;
  /** Settles when something fits in its error output; rejects when it ended without. */
  errorLike(pattern: RegExp): Promise<void>;
  /** Settles when it is gone. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stop(signal?: NodeJS.Signals): Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
  }>;
  [Symbol.asyncDispose](): Promise<void>;
};

export function followProgram(file: string, args: readonly string[], setting: Setting = {}): Following {
  const child = startChild(file, args, setting);
  let errors = '';
  const heard = new EventEmitter();
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece;
    heard.emit('more');
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    heard.emit('more');
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const line = async (): Promise<string> => {
    const next = await lines.next();
    if (next.done !== true) return next.value;
    await ended;
    throw new Error(`${file} ${args.join(' ')} ended without a further line: ${errors}`);
  };
  const stop: Following['stop'] = (signal = 'SIGTERM') => {
    const isGone = child.exitCode !== null || child.signalCode !== null;
    if (setting.inTerminal !== true) child.kill(signal);
    else if (!isGone) process.kill(-(child.pid ?? 0), signal);
    return ended;
  };
  return {
    pid: child.pid ?? 0,
    line,
    async lineLike(pattern) {
      for (;;) {
        const next = await line();
        if (pattern.test(next)) return next;
      }
    },
    errors: () => errors,
    async errorLike(pattern) {
      while (!pattern.test(errors)) {
        if (isOver) throw new Error(`${file} ended without ${String(pattern)}: ${errors}`);
        await once(heard, 'more');
      }
    },
    ended,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

function startChild(
  file: string,
  args: readonly string[],
  { env, cwd, stdin, inTerminal }: Setting,
): ChildProcessWithoutNullStreams {
  const child = spawn(file, args, {
    stdio: 'pipe',
    cwd,
    detached: inTerminal === true,
    env: { ...process.env, ...env },
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.removeListener('exit', end));
  // A program may end without reading what it was given.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin ?? '');
  return child;
}
