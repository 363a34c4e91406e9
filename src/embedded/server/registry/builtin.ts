import type { BuiltinKind, Conversion } from '#embedded/kinds/builtin-kind.ts';
import { canonicalObject } from '#embedded/kinds/canonical/canonical.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import { apiVersionOf, storageOf, type ApiResource } from './resource.ts';

/** The resource of a built-in kind in one version. */
export function builtinResource(row: BuiltinKind): ApiResource {
  const { group, version, kind, plural, typeName, rules, columns } = row;
  return {
    ...row,
    apiVersion: apiVersionOf(group, version),
    listKind: `${kind}List`,
    storage: storageOf(row.stored?.group ?? group, plural),
    generation: rules.generation,
    source: { type: 'builtin', typeName },
    shape: () => shapeOfType(typeName),
    columns: () => columns,
    conversion: canonicalConversion(row),
  };
}

/** Conversions rename fields; the table of types defines the canonical form of both sides. */
function canonicalConversion({ kind, typeName, stored }: BuiltinKind): Conversion | undefined {
  const storedType = stored && typeNameOf(stored.group, stored.version, kind);
  if (stored === undefined || storedType === undefined) return undefined;
  return {
    toStored: (object) => canonicalObject(storedType, stored.conversion.toStored(object)),
    fromStored: (object) => canonicalObject(typeName, stored.conversion.fromStored(object)),
  };
}
