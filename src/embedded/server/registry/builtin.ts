import { canonicalObject } from '#embedded/kinds/canonical/canonical.ts';
import { rulesFor } from '#embedded/kinds/rules/rules-for.ts';
import { columnsFor } from '#embedded/kinds/columns/columns-for.ts';
import { defaultColumns } from '#embedded/kinds/columns/default-columns.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import type { BuiltinResource } from './builtin-resources.ts';
import { conversionOf } from './builtin-conversion.ts';
import { crdRules } from './crd-rules.ts';
import { apiVersionOf, storageOf, type Conversion, type Resource } from './resource.ts';

/** Conversions rename; the form in which each side writes its kind comes from the table of types. */
function canonicalConversion(row: BuiltinResource, typeName: string): Conversion | undefined {
  const conversion = conversionOf(row);
  const stored = typeNameOf(row.storedAs.group, row.storedAs.version, row.kind);
  if (conversion === undefined || stored === undefined) return undefined;
  return {
    toStored: (object) => canonicalObject(stored, conversion.toStored(object)),
    fromStored: (object) => canonicalObject(typeName, conversion.fromStored(object)),
  };
}

/** A built-in resource with everything that is known about its kind. */
export function builtinResource(row: BuiltinResource): Resource {
  const { group, version, kind, plural, storedAs } = row;
  const typeName = typeNameOf(group, version, kind);
  if (typeName === undefined)
    throw new Error(`the table of types lacks ${apiVersionOf(group, version)} ${kind}`);
  const rules = kind === 'CustomResourceDefinition' ? crdRules : rulesFor(group, kind);
  const columns = columnsFor(group, version, kind) ?? defaultColumns;
  return {
    ...row,
    apiVersion: apiVersionOf(group, version),
    listKind: `${kind}List`,
    storage: storageOf(storedAs.group, plural),
    rules,
    generation: rules.generation,
    source: { type: 'builtin', typeName },
    shape: () => shapeOfType(typeName),
    columns: () => columns,
    conversion: canonicalConversion(row, typeName),
  };
}
