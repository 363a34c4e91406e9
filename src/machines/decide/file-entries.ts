import { at, isArray, isObject, listAt, textAt } from '#base/json.ts';
import type { Facts, FileDelivery, FileEntry, SourceChild, SourceFact, SourceFile } from './model.ts';
import type { PlanNote } from './plan.ts';
import { cleanPath, folderOf, isAbsolute, resolvePath } from './paths.ts';
import type { PlacedDocument } from './documents.ts';
import { pointer, type SpecProblem } from './problem.ts';

type Sources = Pick<Facts, 'sources'>;

const path = ['spec', 'features', 'files'] as const;

/** `features.files`, as far as its entries can be read; relative sources count from `folder`. */
export function readFiles({ document, file, prefix }: PlacedDocument, folder: string): readonly FileEntry[] {
  return listAt(document, ...path).flatMap((entry, index) => {
    const [src, dst] = [textAt(entry, 'src'), textAt(entry, 'dst')];
    if (!isObject(entry) || src === undefined || dst === undefined || src === '') return [];
    return [
      {
        src: resolvePath(folder, src),
        dst,
        recursive: entry['recursive'] === true,
        origin: { file, pointer: prefix + pointer(...path, index) },
        declared: entry,
      },
    ];
  });
}

/** Entries of `features.files` that cannot be read, or lack a field. */
export function checkFileShapes({ document, file, prefix }: PlacedDocument): readonly SpecProblem[] {
  const origin = { file, pointer: prefix + pointer(...path) };
  const files = at(document, ...path) ?? null;
  if (files !== null && !isArray(files)) return [{ origin, message: 'must be a list of src and dst' }];
  const entries = listAt(document, ...path);
  const under = (index: number, key: string) => ({ file, pointer: `${origin.pointer}/${index}/${key}` });
  const recursive = entries.flatMap((entry, index): readonly SpecProblem[] =>
    typeof (at(entry, 'recursive') ?? false) === 'boolean'
      ? []
      : [
          {
            origin: under(index, 'recursive'),
            message: 'must be true or false',
            valid: ['true', 'false'],
          },
        ],
  );
  const missing = entries.flatMap((entry, index): readonly SpecProblem[] =>
    ['src', 'dst']
      .filter((key) => (textAt(entry, key) ?? '') === '')
      .map((key) => ({
        origin: under(index, key),
        message: `${key} is required: ${key === 'src' ? 'a file or folder beside this file' : 'an absolute path on the node'}`,
      })),
  );
  return [...recursive, ...missing];
}

/** Faults of entries that show only with the sources at hand. */
export const checkFiles = (entries: readonly FileEntry[], facts: Sources): readonly SpecProblem[] => [
  ...entries.flatMap((entry) => checkEntry(entry, entries, facts)),
  ...collisions(entries, facts),
];

/** Two entries may bring different files to one place, or need one path as a file and as a folder. */
function collisions(entries: readonly FileEntry[], facts: Sources): readonly SpecProblem[] {
  const placedFiles = entries.flatMap((entry) =>
    deliveriesOf([entry], facts, new Set()).map(({ dst }) => ({ entry, dst })),
  );
  const taken = new Map<string, FileEntry>();
  const same = placedFiles.flatMap(({ entry, dst }) => {
    const before = taken.get(dst);
    taken.set(dst, entry);
    // `checkEntry` reports whole entries with the same destination.
    const isKnown = before === undefined || cleanPath(before.dst) === cleanPath(entry.dst);
    return isKnown ? [] : [collision(entry, dst, before)];
  });
  const above = placedFiles.flatMap(({ entry, dst }) =>
    foldersAbove(dst).flatMap((folder) => {
      const other = taken.get(folder);
      return other === undefined ? [] : [collision(entry, dst, other)];
    }),
  );
  // One problem per entry, however many files it brings.
  return [...new Map([...same, ...above].map((each) => [each.entry, each.problem])).values()];
}

const collision = (
  entry: FileEntry,
  dst: string,
  other: FileEntry,
): { readonly entry: FileEntry; readonly problem: SpecProblem } => ({
  entry,
  problem: {
    origin: { ...entry.origin, pointer: `${entry.origin.pointer}/dst` },
    message: `${dst} is also copied by ${other.origin.pointer}, or needs a folder where that entry copies a file`,
  },
});

function checkEntry(entry: FileEntry, all: readonly FileEntry[], facts: Sources): readonly SpecProblem[] {
  const wrong = (key: 'src' | 'dst', message: string): SpecProblem => ({
    origin: { file: entry.origin.file, pointer: `${entry.origin.pointer}/${key}` },
    message,
  });
  const problems: SpecProblem[] = [];
  const why = sourceFault(facts.sources.get(entry.src), entry.src);
  if (why !== undefined) problems.push(wrong('src', why));
  for (const { path, fact } of brokenChildren(entry, facts))
    problems.push(wrong('src', sourceFault(fact, path) ?? ''));
  if (entry.dst.includes('\0')) problems.push(wrong('dst', 'a path must not contain the character NUL'));
  if (!isAbsolute(entry.dst))
    problems.push(wrong('dst', `"${entry.dst}" must be an absolute path on the node`));
  else if (entry.dst.endsWith('/') && facts.sources.get(entry.src)?.type === 'file')
    problems.push(wrong('dst', `"${entry.dst}" names a folder: name the file itself`));
  const same = all.find((other) => other !== entry && cleanPath(other.dst) === cleanPath(entry.dst));
  if (same !== undefined && all.indexOf(same) < all.indexOf(entry))
    problems.push(wrong('dst', `"${entry.dst}" is also the destination of ${same.origin.pointer}`));
  return problems;
}

/** The folders above an absolute path, nearest first. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`);
}

/** The reason why a path cannot be sent, if any. */
function sourceFault(fact: SourceFact | undefined, path: string): string | undefined {
  if (fact === undefined || fact.type === 'missing') return `the source ${path} does not exist`;
  if (fact.type === 'refused')
    return `the source ${path} is ${fact.what}: only regular files and folders are sent`;
  return undefined;
}

/** The regular files of the entries: of folders one level, or all levels with `recursive`. */
export function deliveriesOf(
  entries: readonly FileEntry[],
  facts: Sources,
  scripts: ReadonlySet<string>,
): readonly FileDelivery[] {
  return entries.flatMap(({ src, dst, recursive }) => {
    const fact = facts.sources.get(src);
    if (fact?.type === 'file') {
      const path = cleanPath(dst);
      return [{ ...delivery(src, path, fact, scripts), root: folderOf(path) }];
    }
    if (fact?.type !== 'directory') return [];
    return childFiles(fact.children, recursive).map(({ name, file }) => ({
      ...delivery(`${src}/${name}`, cleanPath(`${dst}/${name}`), file, scripts),
      root: cleanPath(dst),
    }));
  });
}

/** Notices about symbolic links: the content of their targets is sent. */
export const linkNotes = (entries: readonly FileEntry[], facts: Sources): readonly PlanNote[] =>
  entries.flatMap(({ src, origin }) => {
    const fact = facts.sources.get(src);
    if (fact === undefined || fact.type === 'missing' || fact.linkTo === undefined) return [];
    return [{ type: 'notice', message: `${src} is a link to ${fact.linkTo}; its content is sent`, origin }];
  });

/** Whether the entries put a regular file at this path. */
export const delivers = (entries: readonly FileEntry[], facts: Sources, path: string): boolean =>
  deliveriesOf(entries, facts, new Set()).some(({ dst }) => dst === cleanPath(path));

const delivery = (
  src: string,
  dst: string,
  { digest, size, mode }: SourceFile,
  scripts: ReadonlySet<string>,
): FileDelivery => ({ src, dst, digest, size, mode: scripts.has(dst) ? 0o700 : mode & 0o777 });

export type NamedFile = { readonly name: string; readonly file: SourceFile };

export function childFiles(children: readonly SourceChild[], recursive: boolean): readonly NamedFile[] {
  return children.flatMap(({ name, fact }): readonly NamedFile[] => {
    if (fact.type === 'file') return [{ name, file: fact }];
    // Volumes that Kubernetes mounts have their data twice, in `..data` and a dated folder.
    if (fact.type !== 'directory' || !recursive || name.startsWith('..')) return [];
    return childFiles(fact.children, true).map((inner) => ({ ...inner, name: `${name}/${inner.name}` }));
  });
}

function brokenChildren({ src, recursive }: FileEntry, facts: Sources): readonly Broken[] {
  const fact = facts.sources.get(src);
  return fact?.type === 'directory' ? brokenIn(fact.children, src, recursive) : [];
}

type Broken = { readonly path: string; readonly fact: SourceFact };

const brokenIn = (children: readonly SourceChild[], folder: string, deep: boolean): readonly Broken[] =>
  children.flatMap(({ name, fact }): readonly Broken[] => {
    const path = `${folder}/${name}`;
    if (fact.type === 'missing' || fact.type === 'refused') return [{ path, fact }];
    return fact.type === 'directory' && deep ? brokenIn(fact.children, path, deep) : [];
  });
