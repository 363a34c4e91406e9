import { parseJson } from '#base/json-text.ts';
import type { ApiResponse } from '#kube/http.ts';
import { jsonType, text } from '#embedded/server/request/answer.ts';
import type { Call, ServerContext } from '#embedded/server/request/call.ts';
import { columnsText, notAList, partialText, tableRow, view } from '#embedded/server/request/encode.ts';
import { freshEnough } from '#embedded/server/request/fresh.ts';
import { listOptions } from '#embedded/server/request/list-options.ts';
import { objectFormat, type Format } from '#embedded/server/request/negotiate.ts';
import { pageOf, type ListPage } from '#embedded/server/request/page.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import { selectionOf } from '#embedded/server/request/selection.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import { includeObject } from './get.ts';

export async function list(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const options = listOptions(call.query, false);
  const selection = selectionOf(call);
  if (options.match !== 'Exact' && options.continue === '') await freshEnough(context, options.revision);
  const page = pageOf(context, call.resource, selection, options);
  return pageAnswer(context, call, page, format);
}

/** The response with a page of objects, in the negotiated format. */
export function pageAnswer(context: ServerContext, call: Call, page: ListPage, format: Format): ApiResponse {
  const { resource, query } = call;
  const options = { includeObject: includeObject(query), now: context.clock.now() };
  const [head, item] = listForm(resource, page, format, (stored) => tableRow(resource, stored, options));
  if (format.type === 'yaml') {
    const value = parseJson([...pieces(head, page.items, item)].join(''));
    return text(200, 'application/yaml', context.yaml.print(value));
  }
  if (isSmall(page.items)) return text(200, jsonType, [...pieces(head, page.items, item)].join(''));
  return { ...text(200, jsonType, ''), body: { type: 'chunks', chunks: pieces(head, page.items, item) } };
}

/** Lists up to this many characters are sent as one text. */
const smallList = 512 * 1024;
const pieceLength = 256 * 1024;

function isSmall(items: readonly Stored[]): boolean {
  let length = 0;
  return items.every(({ json }) => (length += json.length) < smallList);
}

type ItemText = (stored: Stored) => string;

/** The text before the items and the text of an item. */
function listForm(
  resource: ApiResource,
  page: ListPage,
  format: Format,
  row: ItemText,
): readonly [string, ItemText] {
  switch (format.type) {
    case 'table': {
      const start = `{"kind":"Table","apiVersion":"meta.k8s.io/${format.version}","metadata":${metaText(page, false)}`;
      return [`${start},"columnDefinitions":${columnsText(resource)},"rows":[`, row];
    }
    case 'partial': {
      if (!format.list) throw notAList('PartialObjectMetadata', `a list (${goListType(resource)})`);
      const start = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${format.version}"`;
      const item = (stored: Stored): string => partialText(view(resource, stored), format.version);
      return [`${start},"metadata":${metaText(page, false)},"items":[`, item];
    }
    case 'json':
    case 'yaml':
    case 'discovery': {
      const custom = resource.source.type === 'custom';
      const start = `{"kind":"${resource.listKind}","apiVersion":"${resource.apiVersion}"`;
      return [`${start},"metadata":${metaText(page, custom)},"items":[`, itemText(resource)];
    }
  }
}

/** Items of built-in kinds leave out kind and apiVersion, which come first in every stored text. */
function itemText(resource: ApiResource): ItemText {
  if (resource.source.type === 'custom') return (stored) => view(resource, stored).json;
  const skipped =
    `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(resource.apiVersion)},`.length;
  return (stored) => `{${view(resource, stored).json.slice(skipped)}`;
}

function metaText(page: ListPage, custom: boolean): string {
  const meta = {
    resourceVersion: String(page.revision),
    ...(page.continue === '' && !custom ? {} : { continue: page.continue }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  return JSON.stringify(meta);
}

function* pieces(head: string, items: readonly Stored[], item: ItemText): Generator<string> {
  let piece = head;
  let first = true;
  for (const stored of items) {
    piece += first ? item(stored) : `,${item(stored)}`;
    first = false;
    if (piece.length >= pieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}]}`;
}

/** The name a real server gives the list's Go type in its refusal. */
const goListType = (resource: ApiResource): string =>
  resource.source.type === 'custom'
    ? '*unstructured.UnstructuredList'
    : `*${resource.version}.${resource.listKind}`;
