import { typeNameOf } from '#schema/types/builtin-types.ts';
import { apiVersionOf, type ApiResource } from '#embedded/server/registry/resource.ts';
import type { ExpectedBody } from './decode.ts';

/** What the body of a write to a resource must hold. */
export function expectedOf(resource: ApiResource): ExpectedBody {
  const { group, version, apiVersion, kind, source } = resource;
  return {
    group,
    version,
    apiVersion,
    kind,
    typeName: source.type === 'builtin' ? source.typeName : undefined,
    isKnownKind: (other) => typeNameOf(group, version, other) !== undefined,
  };
}

/** The same for a kind that is no resource of its own: Scale, Binding, Eviction, TokenRequest. */
export function expectedKind(group: string, version: string, kind: string): ExpectedBody {
  const isKnownKind = (other: string): boolean => typeNameOf(group, version, other) !== undefined;
  const typeName = typeNameOf(group, version, kind);
  return { group, version, apiVersion: apiVersionOf(group, version), kind, typeName, isKnownKind };
}
