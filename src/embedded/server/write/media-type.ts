import { ApiError } from '#kube/status.ts';

export type BodyType = 'json' | 'yaml' | 'protobuf';

const bodyTypes: Readonly<Record<string, BodyType>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

/** The media type of a Content-Type header, without parameters. */
export const mediaType = (header: string | undefined): string =>
  (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The form of a request body; custom resources have no protobuf form. */
export function bodyType(header: string | undefined, custom: boolean): BodyType {
  if (header === undefined || header === '') return 'json';
  const name = mediaType(header);
  const type = Object.hasOwn(bodyTypes, name) ? bodyTypes[name] : undefined;
  if (type === undefined || (custom && type === 'protobuf')) throw unknownFormat(custom);
  return type;
}

function unknownFormat(custom: boolean): ApiError {
  const types = Object.keys(bodyTypes).filter((each) => !custom || bodyTypes[each] !== 'protobuf');
  return new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
  });
}
