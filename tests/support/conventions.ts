import { dirname, join } from 'node:path';
import { folderOf, fileOf, importsOf } from './imports.ts';

/** Paths with their text. */
export type Sources = ReadonlyMap<string, string>;

const anExportedType =
  /^export (?:declare )?(?:type|interface|(?:abstract )?class|enum) ([A-Za-z_]\w*)(?=[\s<={])/gm;

/** Names of exported types that more than one file defines, each with the files. Re-exports do not count. */
export function duplicateTypes(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const [path, source] of sources)
    for (const [, name = ''] of source.matchAll(anExportedType))
      files.set(name, [...(files.get(name) ?? []), path]);
  return new Map([...files].filter(([, paths]) => paths.length > 1).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The comments of a source file, without the code between them. */
const commentsOf = (source: string): string =>
  [...source.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map(([text]) => text).join('\n');

const aCode =
  /(?<!RFC \d+,? ?)§\s?\d+(?:\.\d+)*|\bdecisions? \d+\b|(?<![\w.:/`'"+-])[A-Z]{1,3}-?\d{1,3}(?![\w%°:-]|\.\d|'s)/g;
/** Names of formats, algorithms and standards that look like a code. */
const commonNames = /^(UTF-?\d+|SHA-?\d+|ES\d+|MD5|RE2|FNV-?\d|NAT64|X\d+|Z0|ISO-?\d+|RFC-?\d+|EC2|V8)$/;

/** Codes of documents (`§2.8`, `G9`, `DEC-08`) that the comments of a file cite. */
export const citedCodes = (source: string): readonly string[] =>
  [...commentsOf(source).matchAll(aCode)]
    .map(([code]) => code.replace(/§\s/, '§'))
    .filter((code) => !commonNames.test(code));

const withoutText = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");

/** What a decision may not contain: functions that return nothing, and exceptions. */
export function impureDecisions(path: string, source: string): readonly string[] {
  if (!/^src\/[^/]+\/decide\//.test(path)) return [];
  const code = withoutText(source);
  return [
    ...[...code.matchAll(/(?::|=>)\s*void\b/g)].map(() => `${path}: a function that returns nothing`),
    ...[...code.matchAll(/\bthrow\b/g)].map(() => `${path}: throws`),
  ];
}

const reads = /(^|\/)read(-[a-z0-9-]+)?\.ts$/;

/** Type assertions by way of `unknown` outside the files that read data from elsewhere (`read.ts`, `read-*.ts`). */
export const blindCasts = (path: string, source: string): readonly string[] =>
  reads.test(path) ? [] : [...withoutText(source).matchAll(/\bas unknown as\b/g)].map(() => path);

/** Which folder imports which. */
export function folderGraph(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    const folder = folderOf(path);
    const into = graph.get(folder) ?? new Set<string>();
    for (const { from } of importsOf(source)) {
      const file = fileOf(path, from);
      if (file !== undefined && folderOf(file) !== folder) into.add(folderOf(file));
    }
    graph.set(folder, into);
  }
  return new Map([...graph].map(([folder, into]) => [folder, [...into]]));
}

/** Files that a README names in code (`store.ts`, `store/table.ts`) and that are not there. */
export function namedAndMissing(path: string, text: string, files: readonly string[]): readonly string[] {
  const own = dirname(path);
  const isThere = (name: string): boolean =>
    files.includes(name) ||
    files.includes(join(own, name)) ||
    files.includes(`src/${name}`) ||
    files.some((file) => file.startsWith(`${own}/`) && file.endsWith(`/${name}`));
  return [...text.matchAll(/`(?:\.\/)?([\w./-]+\.(?:ts|md|json|yaml))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isThere(name))
    .map((name) => `${path}: ${name} does not exist`);
}
