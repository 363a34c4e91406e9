import { printJson } from '#base/json-text.ts';
import type { Instant } from '#base/time.ts';
import { columnDefinitions, rowConditions, rowText } from '#embedded/kinds/columns/render.ts';
import { ApiError } from '#kube/status.ts';
import { memoizeByObject } from '#base/memoize.ts';
import type { Column } from '#embedded/kinds/columns/column.ts';
import type { Format } from './negotiate.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

const converted = new WeakMap<ApiResource, WeakMap<Stored, Stored>>();

/** A stored object in the form of the resource's version; converted at most once. */
export function view(resource: ApiResource, stored: Stored): Stored {
  const { conversion } = resource;
  if (conversion === undefined) return stored;
  let known = converted.get(resource);
  if (known === undefined) {
    known = new WeakMap();
    converted.set(resource, known);
  }
  let result = known.get(stored);
  if (result === undefined) {
    const object = conversion.fromStored(stored.object);
    result = object === stored.object ? stored : stored.with(object);
    known.set(stored, result);
  }
  return result;
}

export type TableOptions = { readonly includeObject: 'None' | 'Metadata' | 'Object'; readonly now: Instant };

const tableGroup = 'meta.k8s.io';

/** One row of a Table, as text. */
export function tableRow(resource: ApiResource, stored: Stored, options: TableOptions): string {
  const shown = view(resource, stored);
  const cells = rowText(resource.columns(), shown.object, options.now);
  const conditions = rowConditions(shown.object);
  const marks = conditions === undefined ? '' : `,"conditions":${printJson(conditions)}`;
  return `{"cells":${cells}${marks},"object":${includedObject(shown, options)}}`;
}

function includedObject(shown: Stored, options: TableOptions): string {
  switch (options.includeObject) {
    case 'None':
      return 'null';
    case 'Object':
      return shown.json;
    case 'Metadata':
      return partialText(shown, 'v1');
  }
}

export function partialText(stored: Stored, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"${tableGroup}/${version}","metadata":${stored.metaText}}`;
}

/** The column definitions of a resource as text. */
export const columnsText = (resource: ApiResource): string => definitionsText(resource.columns());

const definitionsText = memoizeByObject((columns: readonly Column[]) =>
  printJson(columnDefinitions(columns)),
);

/** A Table of rows that are already text. */
export function tableText(version: string, listMeta: string, columns: string, rows: string): string {
  return `{"kind":"Table","apiVersion":"${tableGroup}/${version}","metadata":${listMeta},"columnDefinitions":${columns},"rows":[${rows}]}`;
}

/** One object in the negotiated format. */
export function objectText(
  resource: ApiResource,
  stored: Stored,
  format: Format,
  options: TableOptions,
): string {
  switch (format.type) {
    case 'table': {
      const meta = `{"resourceVersion":"${stored.revision}"}`;
      return tableText(format.version, meta, columnsText(resource), tableRow(resource, stored, options));
    }
    case 'partial':
      if (format.list) throw notAList('PartialObjectMetadataList', `a single object`);
      return partialText(view(resource, stored), format.version);
    case 'json':
    case 'yaml':
    case 'discovery':
      return view(resource, stored).json;
  }
}

/** The error for a metadata format that does not fit the request. */
export function notAList(wanted: string, what: string): ApiError {
  return new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message: `you requested ${wanted}, but the requested object is ${what}`,
  });
}
