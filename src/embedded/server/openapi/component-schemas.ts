import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import type { BuiltinType } from '#schema/types/builtin-type.ts';
import { builtinType, kindOfType, membersOf, typeOfField } from '#schema/types/builtin-types.ts';
import type { GroupVersion } from './resource-description.ts';
import { typeSchema } from './type-schema.ts';

/** Schemas of the named built-in types and of all that they refer to, sorted by name. */
export function componentSchemas(typeNames: Iterable<string>, groupVersion: GroupVersion): JsonObject {
  const schemas = new Map<string, JsonObject>();
  const open = [...typeNames];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const type = schemas.has(name) ? undefined : builtinType(name);
    if (type === undefined) continue;
    schemas.set(name, { ...typeSchema(type), ...kindMark(type, groupVersion) });
    open.push(...referredTypes(type));
  }
  const sorted: MutableJsonObject = {};
  for (const name of [...schemas.keys()].sort()) sorted[name] = schemas.get(name) ?? {};
  return sorted;
}

function referredTypes(type: BuiltinType): readonly string[] {
  if (type.special !== undefined) return [];
  return [...membersOf(type).values()].flatMap((field) => typeOfField(field)?.name ?? []);
}

/** Options and watch events belong to the group version that they are used in. */
const shared: ReadonlySet<string> = new Set(['DeleteOptions', 'WatchEvent']);

/** Clients find a kind's schema by this mark. */
function kindMark(type: BuiltinType, groupVersion: GroupVersion): JsonObject {
  const own = kindOfType(type);
  if (own === undefined) return {};
  const { group, version } = shared.has(type.shortName) ? groupVersion : own;
  return { 'x-kubernetes-group-version-kind': [{ group, kind: own.kind, version }] };
}
