import { printed } from './print-format.ts';
import { parseScript } from './parse-script.ts';
import { ShellJump, type ProgramCall } from './shell-state.ts';
import type { ShellScript } from './syntax.ts';
import { testWords } from './test-words.ts';

type InShell = {
  readonly run: (script: ShellScript) => Promise<number>;
  readonly call: (words: readonly string[]) => Promise<number>;
};

type Builtin = (call: ProgramCall, shell: InShell) => number | Promise<number>;

const jump =
  (how: ShellJump['how']): Builtin =>
  ({ words, state }) => {
    throw new ShellJump(how, words[1] === undefined ? state.code : Number(words[1]) & 255);
  };

const none: Builtin = () => 0;

function test({ words, state, machine }: ProgramCall): number {
  const given = words[0] === '[' ? words.slice(1, -1) : words.slice(1);
  return testWords(given, { files: machine.files, folder: state.folder }) ? 0 : 1;
}

function echo({ words: [, ...words], io }: ProgramCall): number {
  const isOpen = words[0] === '-n';
  io.out(`${words.slice(isOpen ? 1 : 0).join(' ')}${isOpen ? '' : '\n'}`);
  return 0;
}

function set({ words: [, ...words], state }: ProgramCall): number {
  for (const [at, word] of words.entries()) {
    if (word === '--') {
      state.args = [state.args[0] ?? '', ...words.slice(at + 1)];
      return 0;
    }
    if (!/^[-+]\w+$/.test(word)) {
      if (/^[-+]\w*o$/.test(words[at - 1] ?? '')) continue;
      state.args = [state.args[0] ?? '', ...words.slice(at)];
      return 0;
    }
    if (word.includes('e')) state.endsOnFailure = word.startsWith('-');
  }
  return 0;
}

/** `export NAME`, `export NAME=value`, and `local` likewise. */
const assign: Builtin = ({ words: [, ...words], state }) => {
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) state.variables.set(word.slice(0, at), word.slice(at + 1));
  }
  return 0;
};

/** Reads one line into variables, the last of which has what is left. */
function read({ words: [, ...words], io, state }: ProgramCall): number {
  const names = words.filter((word) => !word.startsWith('-'));
  const end = io.input.rest.indexOf('\n');
  const line = (end < 0 ? io.input.rest : io.input.rest.slice(0, end)).trim();
  const isLine = end >= 0;
  io.input.rest = isLine ? io.input.rest.slice(end + 1) : '';
  const parts = line.split(/[ \t]+/);
  for (const [at, name] of names.entries())
    state.variables.set(name, at === names.length - 1 ? parts.slice(at).join(' ') : (parts[at] ?? ''));
  return isLine ? 0 : 1;
}

const command: Builtin = ({ words, io, state, machine }, { call }) => {
  const [, flag, name = ''] = words;
  if (flag !== '-v') return call(words.slice(1));
  if (!builtins.has(name) && !state.functions.has(name) && !machine.programs.has(name)) return 1;
  io.out(`${name}\n`);
  return 0;
};

function source(
  { words: [, path = ''], io, state, machine }: ProgramCall,
  { run }: InShell,
): number | Promise<number> {
  const text = machine.files.read(path, state.folder);
  if (text !== undefined) return run(parseScript(text));
  io.err(`sh: ${path}: no such file\n`);
  return 1;
}

function cd({ words: [, path = '/root'], io, state, machine }: ProgramCall): number {
  const entry = machine.files.entry(path, state.folder);
  if (entry?.type !== 'folder') {
    io.err(`cd: ${path}: no such folder\n`);
    return 1;
  }
  state.folder = machine.files.absolute(path, state.folder);
  return 0;
}

/** Commands that change the state of the shell, or are part of it. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', none],
  ['true', none],
  ['false', () => 1],
  ['trap', none],
  ['umask', none],
  ['wait', none],
  ['ulimit', none],
  ['test', test],
  ['[', test],
  ['echo', echo],
  [
    'printf',
    ({ words: [, format = '', ...rest], io }) => {
      io.out(printed(format, rest));
      return 0;
    },
  ],
  ['set', set],
  ['export', assign],
  ['readonly', assign],
  ['local', assign],
  [
    'unset',
    ({ words, state }) => {
      for (const name of words.slice(1)) state.variables.delete(name);
      return 0;
    },
  ],
  [
    'shift',
    ({ words: [, count = '1'], state }) => {
      state.args = [state.args[0] ?? '', ...state.args.slice(1 + Number(count))];
      return 0;
    },
  ],
  ['read', read],
  ['command', command],
  ['.', source],
  ['source', source],
  ['cd', cd],
  [
    'pwd',
    ({ io, state }) => {
      io.out(`${state.folder}\n`);
      return 0;
    },
  ],
  [
    'exec',
    async ({ words }, { call }) => {
      if (words.length === 1) return 0;
      throw new ShellJump('exit', await call(words.slice(1)));
    },
  ],
  ['exit', jump('exit')],
  ['return', jump('return')],
  ['break', jump('break')],
  ['continue', jump('continue')],
]);
