import { roomOf, rooms, type Room } from './house.ts';

export type Import = { readonly from: string; readonly typeOnly: boolean };

const anImport = /(?:^\s*(?:import|export)\s+(type\s)?(?:[^'"=;]*?from\s*)?|\bimport\(\s*)['"]([^'"]+)['"]/gm;
/** `import('…').Name` in a type position is erased like any type. */
const aTypeImport = /\bimport\(\s*['"]([^'"]+)['"]\s*\)\s*\./g;

/** What a source file imports. A regular expression suffices: the house has one style of import. */
export function importsOf(source: string): readonly Import[] {
  const erased = [...source.matchAll(aTypeImport)].map(([, from = '']) => ({ from, typeOnly: true }));
  const rest = source.replaceAll(aTypeImport, '');
  const found = [...rest.matchAll(anImport)].map(([, type, from = '']) => ({
    from,
    typeOnly: type !== undefined,
  }));
  return [...found, ...erased];
}

/** Every import of a file that goes against the order of the house, as a sentence. */
export function trespasses(path: string, source: string): readonly string[] {
  const name = roomOf(path.slice('src/'.length));
  const room = rooms[name];
  if (room === undefined) return [`${path}: no such room`];
  const waits =
    /\/(decide|model|kinds)$/.test(name) && /\b(async|await)\b/.test(source)
      ? [`${path}: a decision does not wait`]
      : [];
  const wrong = importsOf(source).flatMap((each) => {
    const why = objection(name, room, each);
    return why === undefined ? [] : [`${path}: '${each.from}' ${why}`];
  });
  return [...wrong, ...waits];
}

function objection(name: string, room: Room, { from, typeOnly }: Import): string | undefined {
  if (from.startsWith('./')) return undefined;
  if (from.startsWith('.')) return 'leaves by ../; name the folder';
  if (from.startsWith('node:')) return room.node ? undefined : 'touches the world';
  if (!from.startsWith('#'))
    return room.packages.includes(packageOf(from)) ? undefined : 'is not a package of this room';
  const open = [name, ...room.may, ...(typeOnly ? (room.types ?? []) : [])];
  return open.includes(roomOf(from.slice(1))) ? undefined : 'goes against the flow';
}

export function packageOf(from: string): string {
  const parts = from.split('/');
  return from.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** The file of src/ that an import names, or undefined when it leads elsewhere. */
export function fileOf(importer: string, from: string): string | undefined {
  if (from.startsWith('#')) return `src/${from.slice(1)}`;
  if (!from.startsWith('./')) return undefined;
  return `${importer.slice(0, importer.lastIndexOf('/'))}/${from.slice(2)}`;
}

/** The first ring of files that import each other, in order, or undefined. Types count: they tie files as well. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>();
  const walk = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    const seen = trail.indexOf(file);
    if (seen >= 0) return [...trail.slice(seen), file];
    if (finished.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const ring = walk(next, [...trail, file]);
      if (ring !== undefined) return ring;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const ring = walk(file, []);
    if (ring !== undefined) return ring;
  }
  return undefined;
}

/** The folder of a file. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
