import type { ShellPart, ShellScript, ShellWord } from './syntax.ts';
import type { TextCursor } from './text-cursor.ts';

/** Reads the script of a `$(…)`, up to its bracket. */
export type ReadScript = (cursor: TextCursor) => ShellScript;

/** The word that begins here; undefined when none does. */
export function parseWord(cursor: TextCursor, readScript: ReadScript): ShellWord | undefined {
  const from = cursor.at;
  const parts = plainParts(cursor, readScript, /[^\s;&|<>()'"\\$`]+/y);
  return cursor.at === from ? undefined : parts;
}

/** The text of a here-document or of a word with variables, as between double quotes. */
export function quotedParts(cursor: TextCursor, readScript: ReadScript, end: string): ShellWord {
  const parts: ShellPart[] = [];
  const isOver = (): boolean => cursor.isAtEnd || (end !== '' && cursor.peek(end));
  while (!isOver()) {
    const escaped = cursor.match(/\\([$`"\\\n])/y);
    if (escaped !== undefined) parts.push(literal(escaped[1] === '\n' ? '' : (escaped[1] ?? '')));
    else if (cursor.peek('$')) parts.push(dollar(cursor, readScript, true));
    else if (cursor.peek('`')) cursor.fail('backquotes are not understood: write $(…)');
    else parts.push(literal(cursor.match(/[^$`"\\]+|["\\]/y)?.[0] ?? ''));
  }
  return parts;
}

function plainParts(cursor: TextCursor, readScript: ReadScript, plain: RegExp): ShellPart[] {
  const parts: ShellPart[] = [];
  for (;;) {
    const text = cursor.match(plain)?.[0];
    if (text !== undefined) parts.push({ type: 'text', text, isQuoted: false });
    else if (cursor.take("'")) parts.push(singleQuoted(cursor));
    else if (cursor.take('"')) {
      parts.push(literal(''), ...quotedParts(cursor, readScript, '"'));
      cursor.expect('"');
    } else if (cursor.take('\\\n')) continue;
    else if (cursor.take('\\')) parts.push(literal(cursor.match(/[^]/y)?.[0] ?? ''));
    else if (cursor.peek('$')) parts.push(dollar(cursor, readScript, false));
    else if (cursor.peek('`')) cursor.fail('backquotes are not understood: write $(…)');
    else return parts;
  }
}

const literal = (text: string): ShellPart => ({ type: 'text', text, isQuoted: true });

function singleQuoted(cursor: TextCursor): ShellPart {
  const text = cursor.match(/[^']*/y)?.[0] ?? '';
  cursor.expect("'");
  return literal(text);
}

function dollar(cursor: TextCursor, readScript: ReadScript, isQuoted: boolean): ShellPart {
  if (cursor.peek('$((')) cursor.fail('arithmetic is not understood');
  if (cursor.take('$(')) {
    const script = readScript(cursor);
    cursor.expect(')');
    return { type: 'command', script, isQuoted };
  }
  if (cursor.take('${')) return braced(cursor, readScript, isQuoted);
  const found = cursor.match(/\$([A-Za-z_]\w*|[0-9@*#?$!-])/y);
  if (found !== undefined)
    return { type: 'variable', name: found[1] ?? '', operator: '', word: [], isQuoted };
  cursor.expect('$');
  return literal('$');
}

function braced(cursor: TextCursor, readScript: ReadScript, isQuoted: boolean): ShellPart {
  if (cursor.peek('#') && !cursor.peek('#}')) cursor.fail('the length of a variable is not understood');
  const name = cursor.match(/[A-Za-z_]\w*|\d+|[@*#?$!-]/y)?.[0] ?? cursor.fail('a variable has no name');
  const operator = cursor.match(/:?[-+=?]|%%?|##?/y)?.[0] ?? '';
  const word = operator === '' ? [] : plainParts(cursor, readScript, /[^}'"\\$`]+/y);
  if (!cursor.take('}')) cursor.fail('this form of a variable is not understood');
  return { type: 'variable', name, operator, word, isQuoted };
}
