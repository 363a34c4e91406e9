import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceChild, SourceFact, SourceFile } from '#machines/decide/model.ts';
import { archivedFact, archivedPath } from './archived-sources.ts';
import { readArchived } from './archive.ts';

/** Facts about paths, with links followed; folders are listed one level deep, or completely. */
export async function lookAtSources(
  paths: readonly string[],
  deep: ReadonlySet<string>,
): Promise<ReadonlyMap<string, SourceFact>> {
  const found = new Map<string, SourceFact>();
  for (const path of new Set(paths)) found.set(path, await lookAt(path, deep.has(path) ? 2 : 1));
  return found;
}

/** The content of a script and its digest: a file, or `archive!/entry`. */
export async function readSource(path: string): Promise<{ content: Uint8Array; digest: string }> {
  const archived = archivedPath(path);
  const content =
    archived === undefined ? await readFile(path) : await readArchived(archived.archive, archived.entry);
  if (content === undefined) throw new Error(`${path} is not there any more`);
  return { content, digest: digestOf(content) };
}

export const sha256 = (text: string): string => digestOf(Buffer.from(text, 'utf8'));

export const digestOf = (content: Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** `levels`: 1 lists a folder, 2 and more its folders too, 0 none. */
async function lookAt(path: string, levels: number): Promise<SourceFact> {
  const archived = archivedPath(path);
  if (archived !== undefined) return archivedFact(archived);
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    if (isMissing(error)) return { type: 'missing' };
    return { type: 'refused', what: `not readable (${(error as Error).message})` };
  }
  const link = lstatSync(path).isSymbolicLink() ? { linkTo: readlinkSync(path) } : {};
  if (stats.isDirectory()) return { type: 'directory', children: await childrenOf(path, levels), ...link };
  const what = refusal(stats);
  if (what !== undefined) return { type: 'refused', what, ...link };
  try {
    return { ...(await fileFact(path, stats)), ...link };
  } catch (error) {
    return { type: 'refused', what: `not readable (${(error as Error).message})`, ...link };
  }
}

async function childrenOf(path: string, levels: number): Promise<readonly SourceChild[]> {
  if (levels === 0) return [];
  const names = readdirSync(path).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const children: SourceChild[] = [];
  for (const name of names) {
    const fact = await lookAt(join(path, name), levels === 1 ? 0 : levels);
    // Volumes of Kubernetes have a link `..data` and dated folders, which are not files of the user.
    if (!(name.startsWith('..') && fact.type !== 'file')) children.push({ name, fact });
  }
  return children;
}

/** A regular file by its content. */
export async function fileFact(path: string, { size, mode }: Stats): Promise<SourceFile> {
  const hash = createHash('sha256');
  let beginning = '';
  for await (const chunk of createReadStream(path)) {
    const bytes = chunk as Buffer;
    if (beginning.length < 2) beginning += bytes.toString('latin1', 0, 2);
    hash.update(bytes);
  }
  return {
    type: 'file',
    digest: `sha256:${hash.digest('hex')}`,
    size,
    mode: mode & 0o7777,
    interpreter: beginning.startsWith('#!'),
  };
}

/** What is neither a file nor a folder; undefined for those. */
export function refusal(stats: Stats): string | undefined {
  if (stats.isFile() || stats.isDirectory()) return undefined;
  if (stats.isSocket()) return 'a socket';
  if (stats.isFIFO()) return 'a pipe';
  return 'a device';
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
