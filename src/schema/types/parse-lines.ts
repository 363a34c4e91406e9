import { parseJson } from '#base/json-text.ts';
import type { BuiltinField, BuiltinType, SpecialForm } from './builtin-type.ts';
import type { TypePackage } from './type-package.ts';

/*
 * The line language. A line without indentation begins a type, the indented lines below are its fields.
 *
 *   Name [kind] [atomic]        kind: stands alone on the wire; atomic: owned as a whole
 *   Name @form                  a type with a JSON form of its own
 *    name number type [=list] [~merge] [:=default]
 *
 *   type     string, int32, int64, bool, double, bytes, Type of this package or alias.Type of another,
 *            with prefixes in this order:  & inlined   * pointer   [] list   {} map of strings to it
 *            and suffixes:  ? left out when empty   + written though optional   ! required though left out
 *                           <Name> the Go name of a scalar   <=Name> the Go name of the whole container
 *   =list    =atomic, =set, =map:key,key; on maps and structs =atomic
 *   ~merge   strategic merge: ~strategy,strategy:mergeKey
 *   :=       the default as JSON
 */

/** Finds each type's lines without reading the fields. */
export function splitTypes(types: TypePackage): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>();
  for (const block of types.lines.split(/\n(?=\S)/)) {
    const name = /^\w+/.exec(block.trimStart())?.[0];
    if (name !== undefined) blocks.set(name, block.trim());
  }
  return blocks;
}

/** Reads one type; `packages` gives full names for aliases. */
export function parseType(
  block: string,
  home: TypePackage,
  packages: ReadonlyMap<string, TypePackage>,
): BuiltinType {
  const [head = '', ...lines] = block.split('\n');
  const [shortName = '', ...marks] = head.split(' ');
  const form = marks.find((mark) => mark.startsWith('@'));
  return {
    name: `${home.name}.${shortName}`,
    shortName,
    goType: `${home.version}.${shortName}`,
    special: form === undefined ? undefined : (form.slice(1) as SpecialForm),
    isKind: marks.includes('kind'),
    atomic: marks.includes('atomic'),
    fields: lines.map((line) => parseField(line, home, packages)),
  };
}

const scalars: ReadonlySet<string> = new Set(['string', 'int32', 'int64', 'bool', 'double', 'bytes']);
const goScalars: Readonly<Record<string, string>> = { double: 'float64', bytes: '[]uint8' };

function parseField(
  line: string,
  home: TypePackage,
  packages: ReadonlyMap<string, TypePackage>,
): BuiltinField {
  const [name = '', number = '', text = '', ...marks] = line.trimStart().split(' ');
  const word = typeWord(text);
  if (word === undefined) throw new Error(`${home.name}: cannot read the type in line "${line}"`);
  const { full, go } = resolve(word.type, home, packages);
  const alias = word.alias === '' || word.alias.includes('.') ? word.alias : `${home.version}.${word.alias}`;
  return {
    name,
    number: Number(number),
    type: full,
    container: containers[word.prefix] ?? 'none',
    inlined: word.inlined === '&',
    pointer: word.pointer === '*',
    omitEmpty: word.presence === '?',
    required: word.presence === '' || word.exception === '!',
    ...parseMarks(marks),
    ...goNames(word, go, alias),
  };
}

const containers: Readonly<Record<string, 'list' | 'map' | undefined>> = { '[]': 'list', '{}': 'map' };
const goPrefixes: Readonly<Record<string, string | undefined>> = { '[]': '[]', '{}': 'map[string]' };

const wordForm = /^(&?)(\*?)(\[\]|\{\}|)([\w.]+)([?+]?)(!?)(?:<(=?)([^>]+)>)?$/;
const wordParts = [
  'inlined',
  'pointer',
  'prefix',
  'type',
  'presence',
  'exception',
  'whole',
  'alias',
] as const;
type TypeWord = Readonly<Record<(typeof wordParts)[number], string>>;

function typeWord(text: string): TypeWord | undefined {
  const match = wordForm.exec(text);
  if (match === null) return undefined;
  return Object.fromEntries(wordParts.map((part, i) => [part, match[i + 1] ?? ''])) as TypeWord;
}

function goNames(word: TypeWord, natural: string, alias: string): Pick<BuiltinField, 'goType' | 'goElement'> {
  const prefix = goPrefixes[word.prefix] ?? '';
  if (word.whole === '=') return { goType: alias, goElement: natural };
  const goElement = alias === '' ? natural : alias;
  return { goType: prefix + goElement, goElement };
}

function resolve(
  type: string,
  home: TypePackage,
  packages: ReadonlyMap<string, TypePackage>,
): { full: string; go: string } {
  if (scalars.has(type)) return { full: type, go: goScalars[type] ?? type };
  const [first = '', second] = type.split('.');
  const target = second === undefined ? home : packages.get(first);
  if (target === undefined) throw new Error(`${home.name}: no package is called "${first}"`);
  const short = second ?? first;
  return { full: `${target.name}.${short}`, go: `${target.version}.${short}` };
}

type Marks = Pick<
  BuiltinField,
  'listType' | 'listMapKeys' | 'atomic' | 'patchStrategy' | 'patchMergeKey' | 'default'
>;

function parseMarks(marks: readonly string[]): Marks {
  const mark = (sign: string): string | undefined =>
    marks.find((each) => each.startsWith(sign))?.slice(sign.length);
  const [list, keys] = mark('=')?.split(':') ?? [];
  const [strategy, mergeKey] = mark('~')?.split(':') ?? [];
  const fallback = mark(':=');
  return {
    listType: list as Marks['listType'],
    listMapKeys: keys?.split(',') ?? [],
    atomic: list === 'atomic',
    patchStrategy: strategy === undefined || strategy === '' ? [] : strategy.split(','),
    patchMergeKey: mergeKey,
    default: fallback === undefined ? undefined : parseJson(fallback),
  };
}
