import { parseDuration } from '#base/duration.ts';
import { formatTime, instant, seconds } from '#base/time.ts';
import type { ShellProgram } from '#embedded/machines/shell/shell-state.ts';
import { flagsOf } from './text-programs.ts';

const sleep: ShellProgram = async ({ words: [, span = '0'], machine }) => {
  await machine.sleep(/^[\d.]+$/.test(span) ? seconds(Number(span)) : (parseDuration(span) ?? seconds(0)));
  return 0;
};

const print =
  (text: string): ShellProgram =>
  ({ io }) => {
    io.out(`${text}\n`);
    return 0;
  };

const date: ShellProgram = ({ words, io, machine }) => {
  const now = machine.now();
  io.out(words.includes('+%s') ? `${Math.floor(now)}\n` : `${formatTime(instant(now * 1000))}\n`);
  return 0;
};

const uname: ShellProgram = ({ words, io, machine }) => {
  const { flags } = flagsOf(words);
  const parts = { s: 'Linux', n: machine.hostname, r: '6.1.0-simulated', m: 'x86_64' };
  const letters = flags.has('a')
    ? (['s', 'n', 'r', 'm'] as const)
    : (['s', 'n', 'r', 'm'] as const).filter((each) => flags.has(each));
  io.out(`${letters.length === 0 ? parts.s : letters.map((letter) => parts[letter]).join(' ')}\n`);
  return 0;
};

const seq: ShellProgram = ({ words: [, ...words], io }) => {
  const [first = 1, last = 0] = words.length === 1 ? [1, Number(words[0])] : words.map(Number);
  const count = Math.min(10_000, Math.max(0, last - first + 1));
  for (let at = 0; at < count; at += 1) io.out(`${first + at}\n`);
  return 0;
};

export const systemPrograms: ReadonlyMap<string, ShellProgram> = new Map<string, ShellProgram>([
  ['sleep', sleep],
  ['sync', () => 0],
  ['date', date],
  ['uname', uname],
  ['seq', seq],
  [
    'hostname',
    ({ io, machine }) => {
      io.out(`${machine.hostname}\n`);
      return 0;
    },
  ],
  [
    'id',
    ({ words, io }) => {
      io.out(words.includes('-u') ? '0\n' : 'uid=0(root) gid=0(root)\n');
      return 0;
    },
  ],
  ['whoami', print('root')],
  ['nproc', print('4')],
  [
    'env',
    ({ io, state }) => {
      for (const [name, value] of state.variables) io.out(`${name}=${value}\n`);
      return 0;
    },
  ],
]);
