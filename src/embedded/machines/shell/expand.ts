import { hasPattern, trimmed, type PatternPiece } from '#embedded/machines/files/pattern.ts';
import type { ShellMachine, ShellState } from './shell-state.ts';
import type { ShellPart, ShellScript, ShellWord } from './syntax.ts';

/** What an expansion needs of the shell around it. */
export type Expander = {
  readonly state: ShellState;
  readonly machine: Pick<ShellMachine, 'files'>;
  /** What the script prints, for `$(…)`. */
  readonly capture: (script: ShellScript) => Promise<string>;
};

/** `split`: blanks in it end a field. `break`: the next field begins. */
type Piece = PatternPiece & { readonly how: 'keep' | 'split' | 'break' };

/** A word as the fields that it becomes: none, one or several. */
export async function expandFields(word: ShellWord, expander: Expander): Promise<readonly string[]> {
  const fields: PatternPiece[][] = [];
  let field: PatternPiece[] | undefined;
  const close = (): void => {
    if (field !== undefined) fields.push(field);
    field = undefined;
  };
  for (const piece of await piecesOf(word, expander)) {
    if (piece.how === 'break') close();
    else if (piece.how === 'keep') (field ??= []).push(piece);
    else
      for (const text of piece.text.split(/([ \t\n]+)/)) {
        if (/^[ \t\n]+$/.test(text)) close();
        else if (text !== '') (field ??= []).push({ text, isQuoted: false });
      }
  }
  close();
  return fields.flatMap((each) => pathsOf(each, expander));
}

/** A word as one text, as in an assignment. */
export const expandText = async (word: ShellWord, expander: Expander): Promise<string> =>
  (await piecesOf(word, expander)).map(({ text, how }) => (how === 'break' ? ' ' : text)).join('');

export const expandPattern = (word: ShellWord, expander: Expander): Promise<readonly PatternPiece[]> =>
  piecesOf(word, expander);

function pathsOf(field: readonly PatternPiece[], { state, machine }: Expander): readonly string[] {
  const text = field.map((piece) => piece.text).join('');
  if (!hasPattern(field)) return [text];
  const found = machine.files.matching(field, state.folder);
  return found.length === 0 ? [text] : found;
}

/** Longer values would use up the memory of the process that simulates the machine. */
const longest = 1024 * 1024;

async function piecesOf(word: ShellWord, expander: Expander): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const part of word) pieces.push(...(await expandPart(part, expander)));
  if (pieces.reduce((sum, { text }) => sum + text.length, 0) > longest)
    throw new Error(`a value is longer than ${longest} characters`);
  return pieces;
}

async function expandPart(part: ShellPart, expander: Expander): Promise<readonly Piece[]> {
  switch (part.type) {
    case 'text':
      return [{ text: part.text, isQuoted: part.isQuoted, how: 'keep' }];
    case 'command': {
      const text = (await expander.capture(part.script)).replace(/\n+$/, '');
      return [valuePiece(text, part.isQuoted)];
    }
    case 'variable':
      return expandVariable(part, expander);
  }
}

const valuePiece = (text: string, isQuoted: boolean): Piece => ({
  text,
  isQuoted,
  how: isQuoted ? 'keep' : 'split',
});

type Variable = Extract<ShellPart, { type: 'variable' }>;

async function expandVariable(part: Variable, expander: Expander): Promise<readonly Piece[]> {
  const { state } = expander;
  const { name, operator, isQuoted } = part;
  if (name === '@' && operator === '') {
    const each = state.args.slice(1).map((text) => valuePiece(text, isQuoted));
    return each.flatMap((piece, at) => (at === 0 ? [piece] : [{ text: '', isQuoted, how: 'break' }, piece]));
  }
  const value = valueOf(name, state);
  if (operator === '') return [valuePiece(value ?? '', isQuoted)];
  if (/^[%#]/.test(operator)) {
    const pattern = await piecesOf(part.word, expander);
    return [valuePiece(trimmed(value ?? '', operator, pattern), isQuoted)];
  }
  return withDefault(part, value, expander);
}

/** `${name:-word}`, `${name:=word}` and `${name:+word}`, and the same without a colon. */
async function withDefault(
  { name, operator, word, isQuoted }: Variable,
  value: string | undefined,
  expander: Expander,
): Promise<readonly Piece[]> {
  const isAbsent = value === undefined || (operator.startsWith(':') && value === '');
  if (operator.endsWith('+')) {
    if (!isAbsent) return inPlace(word, isQuoted, expander);
    return isQuoted ? [valuePiece('', true)] : [];
  }
  if (!isAbsent || operator.endsWith('?')) return [valuePiece(value ?? '', isQuoted)];
  const pieces = await inPlace(word, isQuoted, expander);
  if (operator.endsWith('=')) expander.state.variables.set(name, pieces.map(({ text }) => text).join(''));
  return pieces;
}

/** The word of `${name:-word}`: outside of quotes blanks in it end a field. */
async function inPlace(word: ShellWord, isQuoted: boolean, expander: Expander): Promise<readonly Piece[]> {
  const pieces = await piecesOf(word, expander);
  return pieces.map((piece) =>
    piece.how === 'break' ? piece : valuePiece(piece.text, isQuoted || piece.isQuoted),
  );
}

function valueOf(name: string, state: ShellState): string | undefined {
  if (/^\d+$/.test(name)) return state.args[Number(name)];
  switch (name) {
    case '#':
      return String(state.args.length - 1);
    case '?':
      return String(state.code);
    case '*':
    case '@':
      return state.args.slice(1).join(' ');
    case '$':
      return '4242';
    case '!':
    case '-':
      return '';
    case 'PWD':
      return state.folder;
    default:
      return state.variables.get(name);
  }
}
