import { parseJson } from '#base/json-text.ts';
import { ApiError, notFound } from '#kube/status.ts';
import type { ApiResponse } from '#kube/http.ts';
import { jsonText, text } from '#embedded/server/request/answer.ts';
import { keyOf, nameOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { objectText } from '#embedded/server/request/encode.ts';
import { freshEnough } from '#embedded/server/request/fresh.ts';
import { objectFormat, type Format } from '#embedded/server/request/negotiate.ts';
import { revisionOption } from '#embedded/server/request/request-options.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

export async function get(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  await freshEnough(context, revisionOption(call.query));
  return objectAnswer(context, call, { status: 200, stored: find(context, call), format });
}

/** The object a call names, or 404. */
export function find(context: ServerContext, call: Call): Stored {
  const stored = context.store.table(call.resource.storage).get(keyOf(call));
  if (stored === undefined) throw missing(call);
  return stored;
}

export const missing = (call: Call): ApiError => notFound(resourceName(call.resource), nameOf(call));

const resourceName = (resource: ApiResource): { group: string; resource: string } => ({
  group: resource.group,
  resource: resource.plural,
});

type Shown = { readonly status: number; readonly stored: Stored; readonly format: Format };

/** The response with one object, in the negotiated format. */
export function objectAnswer(
  context: ServerContext,
  call: Call,
  { status, stored, format }: Shown,
): ApiResponse {
  const options = { includeObject: includeObject(call.query), now: context.clock.now() };
  const body = objectText(call.resource, stored, format, options);
  if (format.type !== 'yaml') return jsonText(status, body);
  return text(status, 'application/yaml', context.yaml.print(parseJson(body)));
}

export function includeObject(query: URLSearchParams): 'None' | 'Metadata' | 'Object' {
  const value = query.get('includeObject');
  if (value === null || value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  throw new ApiError({
    code: 400,
    reason: 'BadRequest',
    message: `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  });
}
