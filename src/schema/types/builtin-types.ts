import type { BuiltinField, BuiltinType } from './builtin-type.ts';
import { metaV1 } from './meta-v1.ts';
import { typePackages } from './packages.ts';
import { parseType, splitTypes } from './parse-lines.ts';
import type { TypePackage } from './type-package.ts';

/** One of Kubernetes' own types by its full name, such as `io.k8s.api.core.v1.Pod`. Read on first use. */
export function builtinType(name: string): BuiltinType | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  const home = byName.get(name.slice(0, dot));
  const block = home === undefined ? undefined : blocksOf(home).get(name.slice(dot + 1));
  if (home === undefined || block === undefined) return undefined;
  const type = parseType(block, home, byAlias);
  parsed.set(name, type);
  return type;
}

/** The type a field's value (or its elements) has; undefined for scalars. */
export function typeOfField(field: BuiltinField): BuiltinType | undefined {
  return field.type.includes('.') ? builtinType(field.type) : undefined;
}

/**
 * The full name of the type of a built-in kind. Also for lists, options, reviews and the other
 * kinds that are never stored. Undefined for everything that is not built in.
 */
export function typeNameOf(group: string, version: string, kind: string): string | undefined {
  const home = byGroupVersion.get(`${group}/${version}`);
  if (home !== undefined && isKindOf(home, kind)) return `${home.name}.${kind}`;
  const shared = home === undefined ? everywhere.has(kind) : isKindOf(metaV1, kind);
  return shared ? `${metaV1.name}.${kind}` : undefined;
}

/** The group, version and kind of a top-level type; undefined for parts of others. */
export function kindOfType(type: BuiltinType): { group: string; version: string; kind: string } | undefined {
  const home = byName.get(type.name.slice(0, type.name.lastIndexOf('.')));
  if (!type.isKind || home?.group === undefined) return undefined;
  const isShared = home === metaV1;
  return { group: isShared ? '' : home.group, version: home.version, kind: type.shortName };
}

/** The names of all JSON members of a struct, in Go's order, those of inlined fields among them. */
export function membersOf(type: BuiltinType): ReadonlyMap<string, BuiltinField> {
  const known = members.get(type);
  if (known !== undefined) return known;
  const found = new Map<string, BuiltinField>();
  for (const field of type.fields) {
    const inner = field.inlined ? typeOfField(field) : undefined;
    if (inner === undefined) found.set(field.name, field);
    else for (const [name, member] of membersOf(inner)) found.set(name, member);
  }
  members.set(type, found);
  return found;
}

const parsed = new Map<string, BuiltinType>();
const members = new Map<BuiltinType, ReadonlyMap<string, BuiltinField>>();
const blocks = new Map<TypePackage, ReadonlyMap<string, string>>();
const byName = new Map(typePackages.map((each) => [each.name, each]));
const byAlias = new Map(typePackages.map((each) => [each.alias, each]));
const byGroupVersion = new Map(typePackages.map((each) => [`${each.group}/${each.version}`, each]));

/** Kinds that are accepted with the group version of any resource, custom ones included. */
const everywhere: ReadonlySet<string> = new Set([
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'WatchEvent',
]);

function blocksOf(home: TypePackage): ReadonlyMap<string, string> {
  const known = blocks.get(home);
  if (known !== undefined) return known;
  const split = splitTypes(home);
  blocks.set(home, split);
  return split;
}

function isKindOf(home: TypePackage, kind: string): boolean {
  const head = blocksOf(home).get(kind)?.split('\n', 1)[0];
  return head !== undefined && head.split(' ').includes('kind');
}
