/** Names that say nothing about what is inside. */
const emptyNames = new Set(['index', 'utils', 'util', 'helpers', 'helper', 'common', 'misc']);
/** Good names of a folder, but as a file each would gather what belongs elsewhere. */
const emptyFiles = new Set(['types.ts', 'constants.ts']);

/** What is wrong with the name of a source file or of a folder on its path. */
export function badNames(path: string): readonly string[] {
  return path.split('/').flatMap((part) => {
    const stem = part.replace(/(\.test)?\.tsx?$/, '');
    if (emptyNames.has(stem) || emptyFiles.has(part))
      return [`${path}: '${stem}' says nothing; name it after what it does`];
    return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) ? [] : [`${path}: '${part}' is not kebab-case`];
  });
}

type Taboo = { readonly pattern: RegExp; readonly why: string };

const taboos: readonly Taboo[] = [
  { pattern: /(?<![.\w])eval\s*\(/, why: 'evaluates text' },
  { pattern: /\b(?:globalThis|window|self)\.eval\b/, why: 'evaluates text' },
  { pattern: /(?<![.\w])(?:new\s+)?Function\s*\(/, why: 'makes code out of text' },
  { pattern: /\.constructor\s*\(/, why: 'makes code out of text' },
  { pattern: /['"](?:node:)?vm['"]/, why: 'evaluates text' },
  { pattern: /^\s*export\s+\*\s/m, why: 'is a barrel: importers name the file they mean' },
];

/** Constructs that no file of the project may contain. */
export function badManners(path: string, source: string): readonly string[] {
  return taboos.filter(({ pattern }) => pattern.test(source)).map(({ why }) => `${path}: ${why}`);
}
