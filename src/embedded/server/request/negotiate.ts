import { memoize } from '#base/memoize.ts';
import { ApiError } from '#kube/status.ts';

/** The negotiated format of a response. */
export type Format =
  | { readonly type: 'json' }
  | { readonly type: 'yaml' }
  | { readonly type: 'table'; readonly version: string }
  | { readonly type: 'partial'; readonly list: boolean; readonly version: string }
  | { readonly type: 'discovery'; readonly version: string };

const json: Format = { type: 'json' };

type Choice = { readonly format: Format; readonly quality: number };

/** The acceptable forms in the order of preference. Clients repeat the same header, so it is parsed once. */
export function accepted(header: string | undefined): readonly Format[] {
  if (header === undefined || header === '' || header === 'application/json') return [json];
  return parseHeader(header);
}

const parseHeader = memoize(200, (header): readonly Format[] =>
  header
    .split(',')
    .flatMap(parseChoice)
    .sort((left, right) => right.quality - left.quality)
    .map((choice) => choice.format),
);

function parseChoice(text: string): readonly Choice[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const values = new Map(
    parameters.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const quality = Number(values.get('q') ?? '1');
  const format = formatOf(type.toLowerCase(), values);
  return format === undefined ? [] : [{ format, quality: Number.isNaN(quality) ? 0 : quality }];
}

const jsonTypes = new Set(['application/json', '*/*', 'application/*']);

function formatOf(type: string, values: ReadonlyMap<string, string>): Format | undefined {
  const as = values.get('as');
  if (type === 'application/yaml') return as === undefined ? { type: 'yaml' } : undefined;
  if (!jsonTypes.has(type)) return undefined;
  return as === undefined ? json : transformed(`${values.get('g') ?? ''} ${as}`, values.get('v') ?? '');
}

/** Forms other than the object itself, by group and name. */
function transformed(as: string, version: string): Format | undefined {
  switch (as) {
    case 'apidiscovery.k8s.io APIGroupDiscoveryList':
      return { type: 'discovery', version };
    case 'meta.k8s.io Table':
      return { type: 'table', version };
    case 'meta.k8s.io PartialObjectMetadata':
      return { type: 'partial', list: false, version };
    case 'meta.k8s.io PartialObjectMetadataList':
      return { type: 'partial', list: true, version };
    default:
      return undefined;
  }
}

const available =
  '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

/** The refusal of an Accept header none of whose types can be served. */
export const notAcceptable = (): ApiError =>
  new ApiError({ code: 406, reason: 'NotAcceptable', message: available, details: {} });

export const onlyMediaTypes = (): ApiError =>
  new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message:
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  });

const tableVersions = new Set(['v1', 'v1beta1']);

/** The first acceptable form for objects: plain, Table or metadata only. */
export function objectFormat(header: string | undefined): Format {
  const formats = accepted(header);
  const found = formats.find((format) => {
    if (format.type === 'table' || format.type === 'partial') return tableVersions.has(format.version);
    return format.type === 'json' || format.type === 'yaml';
  });
  if (found === undefined) throw formats.length > 0 ? onlyMediaTypes() : notAcceptable();
  return found;
}
