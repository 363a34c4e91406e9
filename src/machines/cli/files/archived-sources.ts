import type { SourceChild, SourceFact } from '#machines/decide/model.ts';
import { listArchive, type ArchiveEntry } from './archive.ts';

/** `archive!/entry` in its parts. */
export type ArchivedPath = { readonly archive: string; readonly entry: string };

export function archivedPath(path: string): ArchivedPath | undefined {
  const cut = path.indexOf('!/');
  return cut < 0 ? undefined : { archive: path.slice(0, cut), entry: path.slice(cut + 2) };
}

/** The fact about a path in an archive: a file, or a folder with all its files. */
export async function archivedFact({ archive, entry }: ArchivedPath): Promise<SourceFact> {
  let entries: readonly ArchiveEntry[];
  try {
    entries = await listArchive(archive);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'missing' };
    return { type: 'refused', what: `not readable (${archive}: ${(error as Error).message})` };
  }
  const found = entries.find(({ path }) => path === entry);
  if (found !== undefined) return fileFact(found);
  const below = entries.filter(({ path }) => path.startsWith(`${entry}/`));
  if (below.length === 0) return { type: 'missing' };
  return { type: 'directory', children: childrenOf(below, entry.length + 1) };
}

const fileFact = ({ digest, size, mode, interpreter }: ArchiveEntry): SourceFact => ({
  type: 'file',
  digest,
  size,
  mode,
  interpreter,
});

function childrenOf(entries: readonly ArchiveEntry[], from: number): readonly SourceChild[] {
  const names = [...new Set(entries.map(({ path }) => path.slice(from).split('/')[0] ?? ''))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  return names.map((name) => {
    const own = entries.filter(({ path }) => path.slice(from).split('/')[0] === name);
    const file = own.find(({ path }) => path.slice(from) === name);
    if (file !== undefined) return { name, fact: fileFact(file) };
    return { name, fact: { type: 'directory', children: childrenOf(own, from + name.length + 1) } };
  });
}
