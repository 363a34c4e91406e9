import type { SimulatedEntry, SimulatedFiles } from '#embedded/machines/files/simulated-files.ts';

type Place = { readonly files: SimulatedFiles; readonly folder: string };

const compare: Readonly<Record<string, (left: string, right: string) => boolean>> = {
  '=': (left, right) => left === right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '-eq': (left, right) => Number(left) === Number(right),
  '-ne': (left, right) => Number(left) !== Number(right),
  '-lt': (left, right) => Number(left) < Number(right),
  '-le': (left, right) => Number(left) <= Number(right),
  '-gt': (left, right) => Number(left) > Number(right),
  '-ge': (left, right) => Number(left) >= Number(right),
};

/** Whether the words between the brackets of `[ … ]` are true. */
export function testWords(words: readonly string[], place: Place): boolean {
  const either = joined(words, '-o') ?? joined(words, '-a');
  if (either !== undefined) {
    const [left, right] = [testWords(either.left, place), testWords(either.right, place)];
    return either.joint === '-o' ? left || right : left && right;
  }
  const compared = compare[words.length === 3 ? (words[1] ?? '') : ''];
  if (compared !== undefined) return compared(words[0] ?? '', words[2] ?? '');
  return words[0] === '!' ? !testWords(words.slice(1), place) : testShort(words, place);
}

function testShort(words: readonly string[], place: Place): boolean {
  const [first = '', second = ''] = words;
  if (words.length === 2) return unary[first]?.(second, place.files.entry(second, place.folder)) ?? false;
  return words.length === 1 && first !== '';
}

type Joined = { readonly joint: string; readonly left: readonly string[]; readonly right: readonly string[] };

/** `A -o B` and `A -a B`; three words are a comparison. */
function joined(words: readonly string[], joint: string): Joined | undefined {
  const at = words.indexOf(joint);
  if (at <= 0 || words.length <= 3) return undefined;
  return { joint, left: words.slice(0, at), right: words.slice(at + 1) };
}

type Unary = (word: string, entry: SimulatedEntry | undefined) => boolean;

const exists: Unary = (word, entry) => entry !== undefined || word.startsWith('/dev/');

const unary: Readonly<Record<string, Unary>> = {
  '-n': (word) => word !== '',
  '-z': (word) => word === '',
  '-e': exists,
  '-r': exists,
  '-w': exists,
  '-f': (_word, entry) => entry?.type === 'file',
  '-d': (_word, entry) => entry?.type === 'folder',
  '-s': (_word, entry) => entry?.type === 'file' && entry.size > 0,
  '-x': (_word, entry) => entry?.type === 'folder' || (entry?.type === 'file' && (entry.mode & 0o111) !== 0),
};
