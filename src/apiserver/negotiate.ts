import { ApiError } from '#kube/status.ts';

/** The form in which an answer is wanted. */
export type Format =
  | { readonly type: 'json' }
  | { readonly type: 'yaml' }
  | { readonly type: 'table'; readonly version: string }
  | { readonly type: 'partial'; readonly list: boolean; readonly version: string }
  | { readonly type: 'discovery'; readonly version: string };

const json: Format = { type: 'json' };

type Choice = { readonly format: Format; readonly quality: number };

const remembered = new Map<string, readonly Choice[]>();

/** The acceptable forms in the order of preference. Clients repeat the same header, so it is parsed once. */
export function accepted(header: string | undefined): readonly Format[] {
  if (header === undefined || header === '' || header === 'application/json') return [json];
  let choices = remembered.get(header);
  if (choices === undefined) {
    choices = header
      .split(',')
      .flatMap(parseChoice)
      .sort((left, right) => right.quality - left.quality);
    if (remembered.size > 200) remembered.clear();
    remembered.set(header, choices);
  }
  return choices.map((choice) => choice.format);
}

function parseChoice(text: string): readonly Choice[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const values = new Map(
    parameters.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const quality = Number(values.get('q') ?? '1');
  const format = formatOf(type.toLowerCase(), values);
  return format === undefined ? [] : [{ format, quality: Number.isNaN(quality) ? 0 : quality }];
}

function formatOf(type: string, values: ReadonlyMap<string, string>): Format | undefined {
  if (type === 'application/yaml') return values.has('as') ? undefined : { type: 'yaml' };
  if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') return undefined;
  const as = values.get('as');
  if (as === undefined) return json;
  const version = values.get('v') ?? '';
  if (values.get('g') === 'apidiscovery.k8s.io' && as === 'APIGroupDiscoveryList')
    return { type: 'discovery', version };
  if (values.get('g') !== 'meta.k8s.io') return undefined;
  if (as === 'Table') return { type: 'table', version };
  if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
    return { type: 'partial', list: as === 'PartialObjectMetadataList', version };
  }
  return undefined;
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
  const found = accepted(header).find((format) => {
    if (format.type === 'table' || format.type === 'partial') return tableVersions.has(format.version);
    return format.type === 'json' || format.type === 'yaml';
  });
  if (found === undefined) throw notAcceptable();
  return found;
}
