import { parseWord, quotedParts } from './parse-word.ts';
import type {
  ShellCommand,
  ShellList,
  ShellPipeline,
  ShellRedirect,
  ShellScript,
  ShellWord,
} from './syntax.ts';
import { TextCursor } from './text-cursor.ts';

/** Reads a script as a whole. Throws `NotUnderstood`. */
export function parseScript(text: string): ShellScript {
  const cursor = new TextCursor(text);
  const script = lists(cursor);
  if (!cursor.isAtEnd) cursor.fail('something is here that does not belong to a command');
  return script;
}

const reserved = /(?:if|then|elif|else|fi|while|until|for|do|done|case|esac|[{}!])(?=[\s;&|()]|$)/y;

/** The reserved word that stands here. */
function keyword(cursor: TextCursor): string | undefined {
  const from = cursor.at;
  const word = cursor.match(reserved)?.[0];
  cursor.at = from;
  return word;
}

const closing = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}']);

/** Commands up to a reserved word that ends them, a bracket or `;;`. */
function lists(cursor: TextCursor): ShellScript {
  const script: ShellList[] = [];
  for (;;) {
    cursor.skipLines();
    const isOver =
      cursor.isAtEnd || cursor.peek(')') || cursor.peek(';;') || closing.has(keyword(cursor) ?? '');
    if (isOver) return script;
    script.push(list(cursor));
    cursor.skipBlanks();
    if (cursor.peek('&')) cursor.fail('commands in the background are not understood');
    if (!cursor.peek(';;')) cursor.take(';');
  }
}

function list(cursor: TextCursor): ShellList {
  const found = [{ when: 'always' as '&&' | '||' | 'always', pipeline: pipeline(cursor) }];
  for (;;) {
    cursor.skipBlanks();
    const when = cursor.take('&&') ? '&&' : cursor.take('||') ? '||' : undefined;
    if (when === undefined) return found;
    cursor.skipLines();
    found.push({ when, pipeline: pipeline(cursor) });
  }
}

function pipeline(cursor: TextCursor): ShellPipeline {
  const isNegated = keyword(cursor) === '!';
  if (isNegated) {
    cursor.expect('!');
    cursor.skipBlanks();
  }
  const commands = [command(cursor)];
  for (;;) {
    cursor.skipBlanks();
    if (cursor.peek('||') || !cursor.take('|')) return { isNegated, commands };
    cursor.skipLines();
    commands.push(command(cursor));
  }
}

function command(cursor: TextCursor): ShellCommand {
  const word = keyword(cursor);
  if (word === undefined && !cursor.peek('(')) {
    const name = cursor.match(/([A-Za-z_]\w*)[ \t]*\([ \t]*\)/y)?.[1];
    if (name === undefined) return simple(cursor);
    cursor.skipLines();
    return { type: 'function', name, body: command(cursor) };
  }
  const made = compound(cursor, word ?? '(');
  const redirects: ShellRedirect[] = [];
  for (;;) {
    cursor.skipBlanks();
    const found = redirect(cursor);
    if (found === undefined) return { ...made, redirects };
    redirects.push(found);
  }
}

type Compound = Exclude<ShellCommand, { type: 'simple' } | { type: 'function' }>;
type WithoutRedirects<Each> = Each extends Each ? Omit<Each, 'redirects'> : never;

function compound(cursor: TextCursor, word: string): WithoutRedirects<Compound> {
  cursor.expect(word);
  switch (word) {
    case '(':
    case '{': {
      const body = lists(cursor);
      cursor.expect(word === '(' ? ')' : '}');
      return { type: word === '(' ? 'subshell' : 'group', body };
    }
    case 'if':
      return branches(cursor);
    case 'while':
    case 'until': {
      const condition = lists(cursor);
      return { type: 'while', isUntil: word === 'until', condition, body: loopBody(cursor) };
    }
    case 'for':
      return forLoop(cursor);
    case 'case':
      return choice(cursor);
    default:
      return cursor.fail(`${word} is not expected here`);
  }
}

function branches(cursor: TextCursor): WithoutRedirects<Compound> {
  const found = [];
  do {
    const condition = lists(cursor);
    cursor.expect('then');
    found.push({ condition, body: lists(cursor) });
  } while (cursor.take('elif'));
  const otherwise = cursor.take('else') ? lists(cursor) : [];
  cursor.expect('fi');
  return { type: 'if', branches: found, otherwise };
}

function loopBody(cursor: TextCursor): ShellScript {
  cursor.skipLines();
  cursor.expect('do');
  const body = lists(cursor);
  cursor.expect('done');
  return body;
}

function forLoop(cursor: TextCursor): WithoutRedirects<Compound> {
  cursor.skipBlanks();
  const name = cursor.match(/[A-Za-z_]\w*/y)?.[0] ?? cursor.fail('for needs a name');
  cursor.skipLines();
  let words: ShellWord[] | undefined;
  if (cursor.match(/in(?=[\s;])/y) !== undefined) {
    words = [];
    for (let word: ShellWord | undefined = []; word !== undefined;) {
      cursor.skipBlanks();
      word = parseWord(cursor, lists);
      if (word !== undefined) words.push(word);
    }
  }
  cursor.skipBlanks();
  cursor.take(';');
  return { type: 'for', name, words, body: loopBody(cursor) };
}

function choice(cursor: TextCursor): WithoutRedirects<Compound> {
  cursor.skipBlanks();
  const subject = wordHere(cursor);
  cursor.skipLines();
  cursor.expect('in');
  const found: { readonly patterns: readonly ShellWord[]; readonly body: ShellScript }[] = [];
  for (;;) {
    cursor.skipLines();
    if (cursor.take('esac')) return { type: 'case', subject, branches: found };
    cursor.take('(');
    const patterns: ShellWord[] = [];
    do {
      cursor.skipBlanks();
      patterns.push(wordHere(cursor));
      cursor.skipBlanks();
    } while (cursor.take('|'));
    cursor.expect(')');
    found.push({ patterns, body: lists(cursor) });
    cursor.skipLines();
    if (!cursor.take(';;') && keyword(cursor) !== 'esac') cursor.fail(';; is missing');
  }
}

const wordHere = (cursor: TextCursor): ShellWord =>
  parseWord(cursor, lists) ?? cursor.fail('a word is missing');

function simple(cursor: TextCursor): ShellCommand {
  const assignments: { readonly name: string; readonly value: ShellWord }[] = [];
  const words: ShellWord[] = [];
  const redirects: ShellRedirect[] = [];
  const from = cursor.at;
  for (;;) {
    cursor.skipBlanks();
    const found = redirect(cursor);
    const name =
      words.length === 0 && found === undefined ? cursor.match(/([A-Za-z_]\w*)=/y)?.[1] : undefined;
    if (found !== undefined) redirects.push(found);
    else if (name !== undefined) assignments.push({ name, value: parseWord(cursor, lists) ?? [] });
    else {
      const word = parseWord(cursor, lists);
      if (word === undefined) break;
      words.push(word);
    }
  }
  if (cursor.at === from) cursor.fail('a command is missing');
  return { type: 'simple', assignments, words, redirects };
}

const ways = {
  '>': 'write',
  '>|': 'write',
  '>>': 'append',
  '<': 'read',
  '>&': 'copy',
  '<&': 'copy',
} as const;

function redirect(cursor: TextCursor): ShellRedirect | undefined {
  const found = cursor.match(/(\d?)(<<-?|>>|>&|<&|>\||>|<)/y);
  if (found === undefined) return undefined;
  const [, number = '', sign = ''] = found;
  const fd = number === '' ? (sign.startsWith('<') ? 0 : 1) : Number(number);
  cursor.skipBlanks();
  if (sign.startsWith('<<')) return hereDocument(cursor, sign === '<<-');
  return { fd, how: ways[sign as keyof typeof ways], word: wordHere(cursor) };
}

function hereDocument(cursor: TextCursor, isIndented: boolean): ShellRedirect {
  const [, quote = '', mark = ''] =
    cursor.match(/(['"\\]?)([\w.-]+)['"]?/y) ?? cursor.fail('<< needs a mark');
  if (isIndented) cursor.fail('<<- is not understood');
  const text = cursor.hereDocument(mark);
  const word: ShellWord =
    quote === '' ? quotedParts(new TextCursor(text), lists, '') : [{ type: 'text', text, isQuoted: true }];
  return { fd: 0, how: 'here', word };
}
