import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import type { PrinterColumn, Kind } from './kind.ts';
import { toStructuralSchema } from './structural.ts';

/** The CustomResourceDefinition of a kind, ready to be applied. */
export function crdOf(kind: Kind): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName(kind) },
    spec: { group: kind.group, scope: kind.scope, names: namesOf(kind), versions: [versionOf(kind)] },
  };
}

export const crdName = ({ plural, group }: Kind): string => `${plural}.${group}`;

/** The schema of a whole object of a kind, as its CRD carries it. */
export function objectSchema(kind: Kind): JsonObject {
  const { properties, ...rest } = toStructuralSchema(kind.schema);
  return {
    ...rest,
    description: kind.description,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...(properties as JsonObject),
    },
  };
}

function namesOf({ kind, plural, shortNames, categories }: Kind): JsonObject {
  const names: MutableJsonObject = { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() };
  if (shortNames.length > 0) names['shortNames'] = shortNames;
  if (categories.length > 0) names['categories'] = categories;
  return names;
}

function versionOf(kind: Kind): JsonObject {
  const version: MutableJsonObject = { name: kind.version, served: true, storage: true };
  version['schema'] = { openAPIV3Schema: objectSchema(kind) };
  const subresources = subresourcesOf(kind);
  if (Object.keys(subresources).length > 0) version['subresources'] = subresources;
  if (kind.columns.length > 0) version['additionalPrinterColumns'] = kind.columns.map(printerColumn);
  return version;
}

function subresourcesOf({ hasStatus, scale }: Kind): JsonObject {
  return { ...(hasStatus ? { status: {} } : {}), ...(scale === undefined ? {} : { scale }) };
}

function printerColumn({ name, type, jsonPath, description, format, wide }: PrinterColumn): JsonObject {
  const column: MutableJsonObject = { name, type, jsonPath };
  if (description !== undefined) column['description'] = description;
  if (format !== undefined) column['format'] = format;
  if (wide === true) column['priority'] = 1;
  return column;
}
