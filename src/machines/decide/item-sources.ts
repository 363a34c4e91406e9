import { isUrl } from './eggo-items.ts';
import { childFiles } from './file-entries.ts';
import type {
  HookAction,
  Binding,
  DeclaredCluster,
  ClusterNode,
  Facts,
  ItemType,
  Origin,
  SourceFile,
} from './model.ts';
import { baseName, isAbsolute, resolvePath } from './paths.ts';
import type { Material } from './plan.ts';
import type { SpecProblem } from './problem.ts';

export type ItemAction = Extract<HookAction, { type: 'item' }>;
type Sources = Pick<Facts, 'sources'>;

/** Folders in eggo's packages. */
const folders: Readonly<Record<Exclude<ItemType, 'repo'>, string>> = {
  pkg: 'pkg',
  bin: 'bin',
  file: 'file',
  dir: 'dir',
  image: 'image',
  yaml: 'file',
};

/** eggo's own default. */
export const archOfNode = ({ arch }: ClusterNode): string => arch ?? 'amd64';

/** Every path on the operator's machine that must be read; `deep` ones with all their sub-folders. */
export function itemPaths(action: HookAction): {
  readonly paths: readonly string[];
  readonly deep: readonly string[];
} {
  if (action.type !== 'item' || action.item === 'repo') return { paths: [], deep: [] };
  const sub = folders[action.item];
  const packages = Object.values(action.packages);
  const paths = action.names
    .filter((name) => !isUrl(name))
    .flatMap((name) => [
      besideOf(action, name),
      ...(isAbsolute(name) ? [] : packages.map((each) => `${each}/${sub}/${name}`)),
    ]);
  const listings = action.item === 'pkg' ? packages.map((each) => `${each}/${sub}`) : [];
  return { paths: [...paths, ...listings], deep: action.item === 'dir' ? paths : [] };
}

const besideOf = ({ folder }: ItemAction, name: string): string => resolvePath(folder, name);

/** The files that an item consists of on machines of an architecture, or why there are none. */
export function itemFiles(
  action: ItemAction,
  arch: string,
  facts: Sources,
): { readonly files: readonly Material[]; readonly faults: readonly string[] } {
  const { item } = action;
  if (item === 'repo') return { files: [], faults: [] };
  const found = action.names
    .filter((name) => !isUrl(name))
    .map((name) =>
      item === 'pkg' ? packageFiles(action, name, arch, facts) : oneItem(action, name, arch, facts),
    );
  return {
    files: found.flatMap((each) => (typeof each === 'string' ? [] : each)),
    faults: found.filter((each) => typeof each === 'string'),
  };
}

function candidatesOf(action: ItemAction, name: string, arch: string): readonly string[] {
  const beside = besideOf(action, name);
  const own = action.packages[arch];
  const sub = action.item === 'repo' ? '' : folders[action.item];
  return isAbsolute(name) || own === undefined ? [beside] : [beside, `${own}/${sub}/${name}`];
}

function oneItem(
  action: ItemAction,
  name: string,
  arch: string,
  { sources }: Sources,
): readonly Material[] | string {
  const candidates = candidatesOf(action, name, arch);
  const path = candidates.find((each) => (sources.get(each)?.type ?? 'missing') !== 'missing');
  const fact = path === undefined ? undefined : sources.get(path);
  if (path === undefined || fact === undefined) return missingText(name, arch, candidates);
  if (fact.type === 'refused') return `${path} is ${fact.what}`;
  const isFolder = fact.type === 'directory';
  if (isFolder !== (action.item === 'dir'))
    return isFolder ? `${path} is a folder: its type is dir` : `${path} is a file: its type is file`;
  if (fact.type === 'file') return [material(path, baseName(name), fact, action.item)];
  return fact.type === 'directory'
    ? childFiles(fact.children, true).map(({ name: below, file }) =>
        material(`${path}/${below}`, `${baseName(name)}/${below}`, file, action.item),
      )
    : [];
}

/** A package by its file's name, or all whose file names begin with it, as in eggo. */
function packageFiles(
  action: ItemAction,
  name: string,
  arch: string,
  facts: Sources,
): readonly Material[] | string {
  const exact = oneItem(action, name, arch, facts);
  const own = action.packages[arch];
  if (typeof exact !== 'string' || own === undefined) return exact;
  const listing = facts.sources.get(`${own}/pkg`);
  const found = (listing?.type === 'directory' ? listing.children : []).flatMap((child) =>
    child.fact.type === 'file' && child.name.startsWith(name) && /\.(?:rpm|deb)$/.test(child.name)
      ? [material(`${own}/pkg/${child.name}`, child.name, child.fact, 'pkg')]
      : [],
  );
  return found.length > 0 ? found : exact;
}

const missingText = (name: string, arch: string, candidates: readonly string[]): string =>
  `${name} is not found for ${arch}: ${candidates.map((path) => `${path} does not exist`).join(', ')}`;

const material = (src: string, name: string, file: SourceFile, item: ItemType): Material => ({
  src,
  name,
  digest: file.digest,
  size: file.size,
  mode: item === 'bin' ? (file.mode & 0o777) | 0o755 : file.mode & 0o777,
});

/** Items whose files are missing or of a wrong kind, for the machines that they are meant for. */
export const checkItems = (
  bindings: readonly Binding[],
  { nodes }: Pick<DeclaredCluster, 'nodes'>,
  facts: Sources,
): readonly SpecProblem[] =>
  bindings.flatMap(({ action, scope, origin }): readonly SpecProblem[] => {
    if (action.type !== 'item') return [];
    const concerned = nodes.filter(
      ({ roles }) =>
        scope.type === 'local' ||
        (scope.type === 'once'
          ? roles.includes(scope.role)
          : (scope.roles ?? roles).some((role) => roles.includes(role))),
    );
    const archs = [...new Set(concerned.map(archOfNode))];
    const faults = archs.flatMap((arch) => itemFiles(action, arch, facts).faults);
    return [...new Set(faults)].map((message) => ({ origin: atName(origin), message }));
  });

const atName = ({ file, pointer }: Origin): Origin => ({ file, pointer: `${pointer}/name` });
