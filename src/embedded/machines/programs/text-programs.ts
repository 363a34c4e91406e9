import type { ProgramCall, ShellProgram } from '#embedded/machines/shell/shell-state.ts';

/** The words of a call as flags and the rest; flags in `valued` take the next word or the rest of their own. */
export function flagsOf(
  words: readonly string[],
  valued = '',
): { readonly flags: ReadonlyMap<string, string>; readonly rest: readonly string[] } {
  const flags = new Map<string, string>();
  const rest = words.slice(1);
  while (rest[0] !== undefined && /^-./.test(rest[0])) {
    const word = rest.shift() ?? '';
    if (word === '--') break;
    for (let at = 1; at < word.length; at += 1) {
      const letter = word[at] ?? '';
      if (!valued.includes(letter)) {
        flags.set(letter, '');
        continue;
      }
      const own = word.slice(at + 1);
      flags.set(letter, own === '' ? (rest.shift() ?? '') : own);
      break;
    }
  }
  return { flags, rest };
}

/** The text of the files that are named, or else the input. Undefined, and a message, when one is missing. */
export function textOf(
  { words, io, state, machine }: ProgramCall,
  paths: readonly string[],
): string | undefined {
  if (paths.length === 0) {
    const text = io.input.rest;
    io.input.rest = '';
    return text;
  }
  const texts = paths.map((path) => machine.files.read(path, state.folder));
  const missing = texts.indexOf(undefined);
  if (missing < 0) return texts.join('');
  io.err(`${words[0] ?? ''}: ${paths[missing] ?? ''}: no such file\n`);
  return undefined;
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** A program that makes lines of lines. */
const filter =
  (
    valued: string,
    act: (lines: readonly string[], flags: ReadonlyMap<string, string>) => readonly string[],
  ): ShellProgram =>
  (call) => {
    const { flags, rest } = flagsOf(call.words, valued);
    const text = textOf(call, rest);
    if (text === undefined) return 1;
    call.io.out(joined(act(linesOf(text), flags)));
    return 0;
  };

const head: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words, 'nc');
  const text = textOf(call, rest);
  if (text === undefined) return 1;
  const bytes = flags.get('c');
  const lines = linesOf(text).slice(0, Number(flags.get('n') ?? 10));
  call.io.out(bytes === undefined ? joined(lines) : text.slice(0, Number(bytes)));
  return 0;
};

/** `grep` with `-q`, `-v`, `-x`, `-F`, `-i`, `-c` and `-E`. */
const grep: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words, 'e');
  const [pattern = '', ...paths] = flags.has('e') ? [flags.get('e') ?? '', ...rest] : rest;
  const text = textOf(call, paths);
  if (text === undefined) return 2;
  const source = flags.has('F') ? pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : pattern;
  const expression = new RegExp(flags.has('x') ? `^(?:${source})$` : source, flags.has('i') ? 'i' : '');
  const found = linesOf(text).filter((line) => expression.test(line) !== flags.has('v'));
  if (flags.has('c')) call.io.out(`${found.length}\n`);
  else if (!flags.has('q')) call.io.out(joined(found));
  return found.length === 0 ? 1 : 0;
};

/** `sed` with one `s` command, with or without `-n` and `p`. */
const sed: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words, 'e');
  const [script = '', ...paths] = flags.has('e') ? [flags.get('e') ?? '', ...rest] : rest;
  const [, , from, to, options = ''] = /^s(.)(.*?)\1(.*?)\1([gp]*)$/.exec(script) ?? [];
  if (from === undefined || to === undefined) return call.machine.otherProgram(call);
  const text = textOf(call, paths);
  if (text === undefined) return 1;
  const expression = new RegExp(from, options.includes('g') ? 'g' : '');
  const lines = linesOf(text).flatMap((line) => {
    const isHit = line.search(expression) >= 0;
    const changed = line.replace(expression, replacement(to));
    return flags.has('n') ? (isHit && options.includes('p') ? [changed] : []) : [changed];
  });
  call.io.out(joined(lines));
  return 0;
};

/** As JavaScript writes it. */
const replacement = (text: string): string =>
  text.replaceAll(/\$|&|\\(\d)/g, (part, group: string | undefined) =>
    part === '$' ? '$$' : part === '&' ? '$&' : `$${group ?? ''}`,
  );

/** `cut -d X -f N[,M]`. */
const cut = filter('df', (lines, flags) => {
  const mark = flags.get('d') ?? '\t';
  const fields = (flags.get('f') ?? '1').split(',').map(Number);
  return lines.map((line) => {
    const parts = line.split(mark);
    return parts.length === 1 ? line : fields.map((field) => parts[field - 1] ?? '').join(mark);
  });
});

/** `tr -d SET`, `tr FROM TO` with single characters and ranges. */
const tr: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words);
  const [from = '', to = ''] = rest.map(charactersOf);
  const text = textOf(call, []) ?? '';
  const mapped = text.replaceAll(/[^]/gu, (letter) => {
    const at = from.indexOf(letter);
    if (at < 0) return letter;
    return flags.has('d') ? '' : (to[Math.min(at, to.length - 1)] ?? '');
  });
  call.io.out(mapped);
  return 0;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

const charactersOf = (set: string): string =>
  set
    .replaceAll(/\\(.)/g, (_whole, letter: string) => escapes[letter] ?? letter)
    .replaceAll(/([a-z0-9])-([a-z0-9])/gi, (_whole, first: string, last: string) => {
      const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) =>
        String.fromCharCode(from + at),
      ).join('');
    });

const wc: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words);
  const text = textOf(call, rest);
  if (text === undefined) return 1;
  const counts = {
    l: linesOf(text).length,
    w: text.split(/\s+/).filter((word) => word !== '').length,
    c: text.length,
  };
  const chosen = (['l', 'w', 'c'] as const).filter((letter) => flags.size === 0 || flags.has(letter));
  call.io.out(`${chosen.map((letter) => counts[letter]).join(' ')}\n`);
  return 0;
};

export const textPrograms: ReadonlyMap<string, ShellProgram> = new Map<string, ShellProgram>([
  [
    'cat',
    (call) => {
      const text = textOf(call, flagsOf(call.words).rest);
      call.io.out(text ?? '');
      return text === undefined ? 1 : 0;
    },
  ],
  ['head', head],
  ['tail', filter('nc', (lines, flags) => lines.slice(-Number(flags.get('n') ?? 10)))],
  ['grep', grep],
  ['sed', sed],
  ['cut', cut],
  ['tr', tr],
  ['wc', wc],
  ['sort', filter('', (lines, flags) => (flags.has('u') ? [...new Set(lines)] : lines).toSorted())],
  ['uniq', filter('', (lines) => lines.filter((line, at) => line !== lines[at - 1]))],
]);
