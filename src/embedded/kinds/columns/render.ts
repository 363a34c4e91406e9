import type { Json, JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { Instant } from '#base/time.ts';
import { apiVersionOf, kindOf, type KubeObject } from '#kube/object.ts';
import type { Column } from './column.ts';
import { metaApiVersion, partialObjectMetadata } from './partial.ts';
import { podRowConditions } from './pods.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export type TableRequest = {
  readonly columns: readonly Column[];
  readonly objects: readonly KubeObject[];
  /** resourceVersion, and continue and remainingItemCount when there is more. */
  readonly listMeta: JsonObject;
  readonly includeObject: IncludeObject;
  readonly now: Instant;
  /** `meta.k8s.io/v1` unless the client requested v1beta1. */
  readonly apiVersion?: string;
  /** False in a watch after its first event: then the definitions are null. */
  readonly withDefinitions?: boolean;
};

/** The cells of one object. */
export function renderRow(columns: readonly Column[], object: KubeObject, now: Instant): Json[] {
  return columns.map((column) => column.cell(object, now));
}

/** The same as JSON text, for lists whose rows are joined as text. */
export function rowText(columns: readonly Column[], object: KubeObject, now: Instant): string {
  return printJson(renderRow(columns, object, now));
}

/** The conditions of a row: that a pod has ended. Undefined for everything else. */
export function rowConditions(object: KubeObject): readonly Json[] | undefined {
  return kindOf(object) === 'Pod' && apiVersionOf(object) === 'v1' ? podRowConditions(object) : undefined;
}

export function columnDefinitions(columns: readonly Column[]): Json {
  return columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

/** A whole Table. Long lists are better put together from `rowText`. */
export function renderTable(request: TableRequest): JsonObject {
  const { columns, objects, listMeta, apiVersion = metaApiVersion, withDefinitions = true } = request;
  return {
    kind: 'Table',
    apiVersion,
    metadata: listMeta,
    columnDefinitions: withDefinitions ? columnDefinitions(columns) : null,
    rows: objects.map((object) => tableRow(request, object)),
  };
}

function tableRow(request: TableRequest, object: KubeObject): JsonObject {
  const conditions = rowConditions(object);
  return {
    cells: renderRow(request.columns, object, request.now),
    ...(conditions === undefined ? {} : { conditions }),
    object: rowObject(request, object),
  };
}

function rowObject({ includeObject, apiVersion }: TableRequest, object: KubeObject): Json {
  switch (includeObject) {
    case 'None':
      return null;
    case 'Metadata':
      return partialObjectMetadata(object, apiVersion);
    case 'Object':
      return object;
  }
}
