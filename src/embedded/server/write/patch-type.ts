import { ApiError } from '#kube/status.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import { mediaType } from './media-type.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Which kind of patch a Content-Type announces. */
export function patchType(header: string | undefined, resource: ApiResource): PatchType {
  const name = mediaType(header);
  const type = Object.hasOwn(patchTypes, name) ? patchTypes[name] : undefined;
  if (type === undefined) {
    throw new ApiError({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
      details: {},
    });
  }
  if (type !== 'strategic' || resource.source.type === 'builtin') return type;
  const types = Object.keys(patchTypes).filter((each) => patchTypes[each] !== 'strategic');
  throw new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
  });
}
