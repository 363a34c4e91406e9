import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExitError } from '#command/exit.ts';
import { isEggo } from '#machines/decide/eggo.ts';
import type { FolderFact, FolderFile } from '#machines/decide/model.ts';
import { isTkestack } from '#machines/decide/read-cluster.ts';
import { listArchive } from './archive.ts';
import { archivedPath } from './archived-sources.ts';
import { readDocuments } from './read-documents.ts';
import { fileFact, isMissing, refusal } from './sources.ts';

/** Of one folder, on its way to every machine. */
const mostBytes = 16 * 1024 * 1024;
const mostFiles = 10_000;

export type FolderLimits = {
  /** The user's home directory. */
  readonly home: string;
  /** Files and folders that are never copied to machines: they hold credentials, or are packages. */
  readonly secret: readonly string[];
};

/** The files that are sent with the scripts of these folders: all files below them except hidden ones. */
export async function lookAtFolders(
  paths: readonly string[],
  { home, secret }: FolderLimits,
): Promise<ReadonlyMap<string, FolderFact>> {
  const found = new Map<string, FolderFact>();
  const kept = new Set(secret.map(realOf));
  for (const path of new Set(paths)) {
    const archived = archivedPath(path);
    const fact = archived === undefined ? await folderFact(path, home, kept) : await archivedFolder(path);
    if (fact !== undefined) found.set(path, fact);
  }
  return found;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

async function folderFact(
  path: string,
  home: string,
  secret: ReadonlySet<string>,
): Promise<FolderFact | undefined> {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const real = realOf(path);
  if (real === '/') return { type: 'refused', what: 'is the whole file system of this machine' };
  if (isHome(real, home)) return { type: 'refused', what: 'is a home directory' };
  const walk: Walk = { secret, files: [], leftOut: [], links: [], bytes: 0 };
  try {
    walkFolder(walk, { path, name: '', above: [real] });
  } catch (error) {
    if (error instanceof TooMuch) return { type: 'refused', what: error.message };
    return { type: 'refused', what: `cannot be read (${(error as Error).message})` };
  }
  const files: FolderFile[] = [];
  for (const { name, path: file, stats } of walk.files.toSorted(byName)) {
    const { digest, size, mode } = await fileFact(file, stats);
    files.push({ name, path: file, digest, size, mode });
  }
  return { type: 'folder', files, leftOut: walk.leftOut, links: walk.links };
}

const isHome = (real: string, home: string): boolean =>
  real === realOf(home) || real === '/root' || real === '/home' || dirname(real) === '/home';

class TooMuch extends Error {}

type Walk = {
  readonly secret: ReadonlySet<string>;
  readonly files: { readonly name: string; readonly path: string; readonly stats: Stats }[];
  readonly leftOut: { readonly name: string; readonly why: string }[];
  readonly links: { readonly name: string; readonly to: string }[];
  bytes: number;
};

type Folder = {
  readonly path: string;
  /** Below the script's folder, with a slash at the end unless it is empty. */
  readonly name: string;
  /** Real paths of this folder and of those above it. */
  readonly above: readonly string[];
};

/** Sizes first: nothing is read of a folder that is too large. */
function walkFolder(walk: Walk, { path, name: prefix, above }: Folder): void {
  for (const entry of readdirSync(path)) {
    const [name, full] = [`${prefix}${entry}`, join(path, entry)];
    const omit = (why: string): void => void walk.leftOut.push({ name, why });
    if (entry.startsWith('.')) {
      // Volumes of Kubernetes have `..data` and dated folders, which scripts do not need.
      if (!entry.startsWith('..')) omit('it is hidden');
      continue;
    }
    const stats = statSync(full, { throwIfNoEntry: false });
    if (stats === undefined) omit('a broken link');
    else if (refusal(stats) !== undefined) omit(refusal(stats) ?? '');
    else {
      if (lstatSync(full).isSymbolicLink()) walk.links.push({ name, to: readlinkSync(full) });
      const real = realpathSync(full);
      if (walk.secret.has(real)) omit('a file of the cluster itself, its records, a key or a package');
      else if (stats.isDirectory()) {
        if (above.includes(real)) omit('a link to a folder above it');
        else walkFolder(walk, { path: full, name: `${name}/`, above: [...above, real] });
      } else if (isClusterFile(full, stats)) omit('the file of a cluster, which may hold its password');
      else count(walk, { name, path: full, stats });
    }
  }
}

/** Beside the file that was given there may be those of other clusters. */
function isClusterFile(path: string, { size }: Stats): boolean {
  if (!/\.(?:ya?ml|json)$/.test(path) || size > 1024 * 1024) return false;
  try {
    return readDocuments(path).documents.some((document) => isEggo(document) || isTkestack(document));
  } catch (error) {
    // A file that cannot be parsed is not the file of a cluster.
    if (error instanceof ExitError) return false;
    throw error;
  }
}

function count(walk: Walk, file: Walk['files'][number]): void {
  walk.files.push(file);
  walk.bytes += file.stats.size;
  if (walk.bytes > mostBytes) throw new TooMuch('holds more than 16 MiB');
  if (walk.files.length > mostFiles) throw new TooMuch(`holds more than ${mostFiles} files`);
}

/** The folder of a script in a package: what lies beside it there. */
async function archivedFolder(path: string): Promise<FolderFact | undefined> {
  const { archive, entry } = archivedPath(path) ?? { archive: path, entry: '' };
  const below = (await listArchive(archive)).filter(({ path: each }) => each.startsWith(`${entry}/`));
  const isHidden = (name: string): boolean => name.split('/').some((part) => part.startsWith('.'));
  const named = below.map((each) => ({ ...each, name: each.path.slice(entry.length + 1) }));
  const files = named.filter(({ name }) => !isHidden(name));
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes)
    return { type: 'refused', what: 'holds more than 16 MiB' };
  return {
    type: 'folder',
    files: files
      .map(({ name, digest, size, mode }) => ({ name, path: `${path}/${name}`, digest, size, mode }))
      .toSorted(byName),
    leftOut: named.filter(({ name }) => isHidden(name)).map(({ name }) => ({ name, why: 'it is hidden' })),
    links: [],
  };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
