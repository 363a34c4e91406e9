import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { TestScreen } from '#releases/cli/testing/screen.ts';
import { runProgram } from './program.ts';

export type TerminalOptions = {
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** A program in a real pseudo-terminal, and the screen that a person would see. */
export type PseudoTerminal = AsyncDisposable & {
  readonly screen: TestScreen;
  readonly pid: number;
  /** Settles when the screen is as wanted; rejects when the program ends before. */
  until(isWanted: (screen: TestScreen) => boolean): Promise<void>;
  press(keys: string): void;
  /** A larger screen at once; a smaller one when the program has drawn a frame that fits. */
  resize(columns: number, rows: number): Promise<void>;
  readonly ended: Promise<number>;
  /** Closes the window: the terminal is gone at once. */
  close(): Promise<void>;
  /** Everything it wrote, as it was written. */
  readonly bytes: () => string;
};

/** Starts a program by `script`, which makes the terminal. */
export async function openPseudoTerminal(
  command: readonly string[],
  { columns, rows, env }: TerminalOptions,
): Promise<PseudoTerminal> {
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const shell = `stty cols ${columns} rows ${rows}; printf 'at %s by %s\\n' "$(tty)" $$; exec ${quoted}`;
  const child = spawn('script', ['-qefc', shell, '/dev/null'], {
    stdio: 'pipe',
    env: { ...process.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  });
  const screen = new TestScreen(columns, rows);
  const news = new EventEmitter();
  const decoder = new StringDecoder('utf8');
  let bytes = '';
  let code: number | undefined;
  child.stdout.on('data', (piece: Buffer) => {
    const text = decoder.write(piece);
    bytes += text;
    screen.write(text);
    news.emit('news');
  });
  const ended = once(child, 'close').then(([status]) => {
    code = status as number;
    news.emit('news');
    return code;
  });
  const until: PseudoTerminal['until'] = async (isWanted) => {
    while (!isWanted(screen)) {
      if (code !== undefined)
        throw new Error(`it ended with ${code} before:\n${screen.picture().join('\n')}\n${screen.ordinary}`);
      await once(news, 'news');
    }
  };
  await until(({ ordinary }) => /^at \S+ by \d+\r?\n/m.test(ordinary));
  const [, device = '', pid = ''] = /^at (\S+) by (\d+)/m.exec(screen.ordinary) ?? [];
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    screen,
    pid: Number(pid),
    until,
    ended,
    bytes: () => bytes,
    press: (keys) => void child.stdin.write(keys),
    async resize(newColumns, newRows) {
      const isSmaller = newColumns < screen.columns || newRows < screen.rows;
      if (!isSmaller) screen.resize(newColumns, newRows);
      const count = screen.frames.length;
      await runProgram('stty', ['-F', device, 'cols', String(newColumns), 'rows', String(newRows)]);
      await until(({ frames }) => frames.length > count);
      if (!isSmaller) return;
      const fits = (line: string): boolean => line.length <= newColumns;
      await until((seen) => seen.picture().length <= newRows && seen.picture().every(fits));
      screen.resize(newColumns, newRows);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
