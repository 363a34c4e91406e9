import { isArray, isObject, type Json } from '#base/json.ts';
import { looksLikeOther } from './yaml-scalar.ts';

/** YAML as kubectl prints it: keys sorted, lists not indented, texts quoted only where they must be. */
export const printYaml = (value: Json): string => printIndented(value, '  ');

/** The same with another indentation of members: schemas are deep, and half of their text would be spaces. */
export const printDenseYaml = (value: Json): string => printIndented(value, ' ');

const printIndented = (value: Json, unit: string): string =>
  isCompound(value) ? block(value, '', unit) : `${scalar(value, '')}\n`;

const isCompound = (value: Json): boolean =>
  isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;

function block(value: Json, indent: string, unit: string): string {
  if (isArray(value)) return value.map((item) => `${indent}- ${listItem(item, indent, unit)}`).join('');
  if (!isObject(value)) return '';
  const keys = Object.keys(value).sort((left, right) => (left < right ? -1 : 1));
  return keys.map((key) => `${indent}${keyText(key)}:${member(value[key] ?? null, indent, unit)}`).join('');
}

/** The first line of a nested block is on the dash's line. */
function listItem(item: Json, indent: string, unit: string): string {
  const deeper = `${indent}  `;
  return isCompound(item) ? block(item, deeper, unit).slice(deeper.length) : `${scalar(item, indent)}\n`;
}

function member(value: Json, indent: string, unit: string): string {
  if (!isCompound(value)) return ` ${scalar(value, indent)}\n`;
  return `\n${block(value, isArray(value) ? indent : `${indent}${unit}`, unit)}`;
}

function scalar(value: Json, indent: string): string {
  if (typeof value === 'string') return text(value, `${indent}  `);
  if (isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}

/** A key is printed on one line. */
const keyText = (key: string): string => (key.includes('\n') ? JSON.stringify(key) : text(key, ''));

function text(value: string, indent: string): string {
  if (looksLikeOther(value)) return JSON.stringify(value);
  if (unprintable.test(value)) return JSON.stringify(value);
  if (value.includes('\n')) return literal(value, indent);
  return needsQuotes(value) ? `'${value.replaceAll("'", "''")}'` : value;
}

/** Control characters and tabs, and lines that end in a blank: these do not survive in a block. */
const unprintable = /(?!\n)[\p{Cc}\p{Cs}\ufeff\u2028\u2029]| \n| $/u;

const needsQuotes = (value: string): boolean =>
  /^[ #,[\]{}&*!|>'"%@`]/.test(value) ||
  /^[-?:](?: |$)/.test(value) ||
  /^(?:---|\.\.\.)/.test(value) ||
  /:(?: |$)| #/.test(value);

function literal(value: string, indent: string): string {
  const body = value.replace(/\n+$/, '');
  const ends = value.length - body.length;
  const chomp = ends === 0 ? '-' : ends > 1 || body === '' ? '+' : '';
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`));
  return `|${hint}${chomp}\n${lines.join('\n')}${'\n'.repeat(Math.max(0, ends - 1))}`;
}
