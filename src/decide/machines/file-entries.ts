import { isObject, listAt, textAt } from '#base/json.ts';
import type { Facts, FileDelivery, FileEntry, SourceChild, SourceFact, SourceFile } from './model.ts';
import type { PlanNote } from './plan.ts';
import { cleanPath, folderOf, isAbsolute, resolvePath } from './paths.ts';
import type { Placed } from './placed.ts';
import { pointer, type Problem } from './problem.ts';

type Sources = Pick<Facts, 'sources'>;

const path = ['spec', 'features', 'files'] as const;

/** `features.files` as it stands; what cannot be right is told by `checkFiles`. */
export function readFiles({ document, file, prefix }: Placed): readonly FileEntry[] {
  return listAt(document, ...path).flatMap((entry, index) => {
    const [src, dst] = [textAt(entry, 'src'), textAt(entry, 'dst')];
    if (!isObject(entry) || src === undefined || dst === undefined || src === '') return [];
    return [
      {
        src: resolvePath(folderOf(file), src),
        dst,
        recursive: entry['recursive'] === true,
        origin: { file, pointer: prefix + pointer(...path, index) },
        declared: entry,
      },
    ];
  });
}

/** Everything about `features.files` that must be right before a host is touched (F6, F7). */
export function checkFiles(placed: Placed, facts: Sources): readonly Problem[] {
  const { document, file, prefix } = placed;
  const entries = readFiles(placed);
  const malformed = listAt(document, ...path).flatMap((entry, index): readonly Problem[] =>
    ['src', 'dst']
      .filter((key) => (textAt(entry, key) ?? '') === '')
      .map((key) => ({
        origin: { file, pointer: prefix + pointer(...path, index, key) },
        message: `${key} is required: ${key === 'src' ? 'a file or folder beside this file' : 'an absolute path on the node'}`,
      })),
  );
  return [...malformed, ...entries.flatMap((entry) => checkEntry(entry, entries, facts))];
}

function checkEntry(entry: FileEntry, all: readonly FileEntry[], facts: Sources): readonly Problem[] {
  const at = (key: 'src' | 'dst', message: string): Problem => ({
    origin: { file: entry.origin.file, pointer: `${entry.origin.pointer}/${key}` },
    message,
  });
  const problems: Problem[] = [];
  const why = sourceFault(facts.sources.get(entry.src), entry.src);
  if (why !== undefined) problems.push(at('src', why));
  for (const { path, fact } of brokenChildren(entry, facts))
    problems.push(at('src', sourceFault(fact, path) ?? ''));
  if (!isAbsolute(entry.dst)) problems.push(at('dst', `"${entry.dst}" must be an absolute path on the node`));
  else if (entry.dst.endsWith('/') && facts.sources.get(entry.src)?.type === 'file')
    problems.push(at('dst', `"${entry.dst}" names a folder: name the file itself`));
  const same = all.find((other) => other !== entry && cleanPath(other.dst) === cleanPath(entry.dst));
  if (same !== undefined && all.indexOf(same) < all.indexOf(entry))
    problems.push(at('dst', `"${entry.dst}" is also the destination of ${same.origin.pointer}`));
  return problems;
}

/** Why a path cannot be sent; undefined when it can. */
function sourceFault(fact: SourceFact | undefined, path: string): string | undefined {
  if (fact === undefined || fact.type === 'missing') return `the source ${path} does not exist`;
  if (fact.type === 'refused')
    return `the source ${path} is ${fact.what}: only regular files and folders are sent`;
  return undefined;
}

/** One regular file each: folders one level deep, or to their depths with `recursive`. */
export function deliveriesOf(
  entries: readonly FileEntry[],
  facts: Sources,
  scripts: ReadonlySet<string>,
): readonly FileDelivery[] {
  return entries.flatMap(({ src, dst, recursive }) => {
    const fact = facts.sources.get(src);
    if (fact?.type === 'file') return [delivery(src, cleanPath(dst), fact, scripts)];
    if (fact?.type !== 'directory') return [];
    return childFiles(fact.children, recursive).map(({ name, file }) =>
      delivery(`${src}/${name}`, cleanPath(`${dst}/${name}`), file, scripts),
    );
  });
}

/** Links that were followed, for people to know (decision 23). */
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

type NamedFile = { readonly name: string; readonly file: SourceFile };

function childFiles(children: readonly SourceChild[], recursive: boolean): readonly NamedFile[] {
  return children.flatMap(({ name, fact }): readonly NamedFile[] => {
    if (fact.type === 'file') return [{ name, file: fact }];
    // What Kubernetes mounts keeps its data in `..data` and dated folders.
    if (fact.type !== 'directory' || !recursive || name.startsWith('..')) return [];
    return childFiles(fact.children, true).map((inner) => ({ ...inner, name: `${name}/${inner.name}` }));
  });
}

function brokenChildren(
  { src }: FileEntry,
  facts: Sources,
): readonly { readonly path: string; readonly fact: SourceFact }[] {
  const fact = facts.sources.get(src);
  if (fact?.type !== 'directory') return [];
  return fact.children
    .filter(({ fact: child }) => child.type === 'missing' || child.type === 'refused')
    .map((child) => ({ path: `${src}/${child.name}`, fact: child.fact }));
}
