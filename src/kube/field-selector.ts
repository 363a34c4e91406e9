import { SelectorError } from './label-selector.ts';

export type FieldTerm = { readonly field: string; readonly equals: boolean; readonly value: string };
/** All terms must hold. */
export type FieldSelector = readonly FieldTerm[];

/** Parses `metadata.name=a,status.phase!=Running`; commas, equals signs and backslashes may be escaped. */
export function parseFieldSelector(text: string): FieldSelector {
  return splitTerms(text).map((term) => parseTerm(term, text));
}

export function matchesFields(selector: FieldSelector, valueOf: (field: string) => string): boolean {
  return selector.every(({ field, equals, value }) => (valueOf(field) === value) === equals);
}

/** The value a selector demands of a field, when it demands exactly one. */
export function demanded(selector: FieldSelector, field: string): string | undefined {
  return selector.find((term) => term.field === field && term.equals)?.value;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let current = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\\') {
      current += letter + text.charAt(at + 1);
      at += 1;
    } else if (letter === ',') {
      terms.push(current);
      current = '';
    } else {
      current += letter;
    }
  }
  terms.push(current);
  return terms.filter((term) => term !== '');
}

function parseTerm(term: string, whole: string): FieldTerm {
  const match = /^((?:[^\\=!]|\\.|!(?!=))*)(!=|==|=)(.*)$/s.exec(term);
  if (match === null) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  return { field: match[1] ?? '', equals: match[2] !== '!=', value: unescape(match[3] ?? '', whole) };
}

function unescape(value: string, whole: string): string {
  let plain = '';
  for (let at = 0; at < value.length; at += 1) {
    const letter = value.charAt(at);
    if (letter === ',' || letter === '=') {
      throw new SelectorError(`invalid selector: '${whole}'; unescaped character in '${value}'`);
    }
    if (letter !== '\\') {
      plain += letter;
      continue;
    }
    const next = value.charAt(at + 1);
    if (next !== '\\' && next !== ',' && next !== '=') {
      throw new SelectorError(`invalid selector: '${whole}'; invalid escape sequence: ${letter}${next}`);
    }
    plain += next;
    at += 1;
  }
  return plain;
}
