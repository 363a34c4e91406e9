import { rulesFor } from '#kube/rules/rules-for.ts';
import { columnsFor } from '#kube/table/columns-for.ts';
import { defaultColumns } from '#kube/table/default-columns.ts';
import { typeNameOf } from '#kube/types/builtin-types.ts';
import { shapeOfType } from '#kube/types/shape-of-type.ts';
import type { BuiltinResource } from './builtin-resources.ts';
import { conversionOf } from './builtin-conversion.ts';
import { crdRules } from './crd-rules.ts';
import { apiVersionOf, storageOf, type Resource } from './resource.ts';

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
    conversion: conversionOf(row),
  };
}
