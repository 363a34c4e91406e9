import type { Issue } from './issue.ts';

/** An error of the parser: its position and its code. */
export type SyntaxFault = {
  readonly code: string;
  readonly at: number;
  readonly end: number;
  readonly message: string;
};

const operands =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The error with the text of kube-apiserver's parser, as far as it follows from the position. */
export function syntaxIssue(source: string, fault: SyntaxFault): Issue {
  const { code, at } = fault;
  const found = tokenAt(source, at);
  switch (code) {
    case 'unexpected_token':
      return { at, message: `Syntax error: ${unexpected(source, at)} expecting ${operands}` };
    case 'expected_token':
      return { at, message: `Syntax error: ${expected(fault.message, found)}` };
    case 'unexpected_character':
      return { at, message: `Syntax error: ${trailing(source, at)}` };
    case 'reserved_identifier':
      return { at, message: `reserved identifier: ${found}` };
    case 'limit_exceeded':
      return { at: 0, message: 'expression recursion limit exceeded: 250' };
    default:
      return { at, message: plainTexts[code] ?? `Syntax error: ${lexicalFault(source, fault)}` };
  }
}

const plainTexts: Readonly<Record<string, string>> = {
  invalid_macro_argument: 'argument must be a simple name',
  invalid_integer: 'invalid int literal',
  invalid_hex_integer: 'invalid int literal',
  invalid_number: 'invalid double literal',
};

const lexicalFault = (source: string, { code, at, message }: SyntaxFault): string =>
  /unterminated|newline/.test(code) ? `token recognition error at: '${source.slice(at)}'` : message;

const token =
  /^(?:[A-Za-z_][A-Za-z0-9_]*|0[xX][0-9a-fA-F]+u?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?|[=!<>]=|&&|\|\||"[^"\n]*"|'[^'\n]*'|[^\s])/;

function tokenAt(source: string, at: number): string {
  return token.exec(source.slice(at))?.[0] ?? '<EOF>';
}

const operandStart = /^(?:[[{(.!-]|\w|["'])/;

/** Distinguishes one token too many from a token that cannot stand there. */
function unexpected(source: string, at: number): string {
  const found = tokenAt(source, at);
  const rest = found === '<EOF>' ? '' : source.slice(at + found.length).trimStart();
  return `${operandStart.test(rest) ? 'extraneous' : 'mismatched'} input '${found}'`;
}

const signs: Readonly<Record<string, string>> = {
  RPAREN: "')'",
  RBRACKET: "']'",
  RBRACE: "'}'",
  COLON: "':'",
  IDENTIFIER: 'IDENTIFIER',
};

function expected(message: string, found: string): string {
  const wanted = signs[/^Expected (\w+)/.exec(message)?.[1] ?? ''] ?? 'IDENTIFIER';
  const closes = wanted === "')'" || wanted === "']'" || wanted === "'}'";
  return closes && found === '<EOF>'
    ? `missing ${wanted} at '<EOF>'`
    : `mismatched input '${found}' expecting ${wanted}`;
}

const known = /^(?:[\w\s"'()[\]{}.,:?+*/%<>!=-]|&&|\|\|)/;

function trailing(source: string, at: number): string {
  if (!known.test(source.slice(at, at + 2))) return `token recognition error at: '${source.charAt(at)}'`;
  const found = tokenAt(source, at);
  const last = source.slice(at + found.length).trim() === '';
  return `${last ? 'extraneous' : 'mismatched'} input '${found}' expecting <EOF>`;
}
