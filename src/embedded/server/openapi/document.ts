import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import { builtinType, typeNameOf } from '#schema/types/builtin-types.ts';
import { componentSchemas } from './component-schemas.ts';
import { customSchemas, listMeta, objectMeta } from './custom-schema.ts';
import { deleteOptionsName, patchComponent, statusName } from './operation.ts';
import { listKindOf, type GroupVersion, type ResourceDescription } from './resource-description.ts';
import { resourcePaths } from './resource-paths.ts';
import { knownSubresources } from './subresources.ts';

/** The OpenAPI v3 document of one group version. Pure; a large group takes some milliseconds. */
export function openApiDocument(
  groupVersion: GroupVersion,
  resources: readonly ResourceDescription[],
  serverVersion: string,
): JsonObject {
  const paths: MutableJsonObject = {};
  const names = new Set<string>([deleteOptionsName, statusName]);
  const custom: MutableJsonObject = {};
  for (const resource of resources) {
    Object.assign(paths, resourcePaths(resource));
    for (const name of builtinNames(resource)) names.add(name);
    if (isCustom(resource)) Object.assign(custom, customSchemas(resource));
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: serverVersion },
    paths,
    components: { schemas: { ...componentSchemas(names, groupVersion), ...patchComponent, ...custom } },
  };
}

const isCustom = ({ group, version, kind }: ResourceDescription): boolean =>
  typeNameOf(group, version, kind) === undefined;

function builtinNames(resource: ResourceDescription): readonly string[] {
  const { group, version, kind, subresources } = resource;
  const own = isCustom(resource)
    ? [objectMeta, listMeta]
    : [kind, listKindOf(resource)].map((each) => typeNameOf(group, version, each));
  const bodies = subresources.map((name) => knownSubresources[name]?.body);
  const others = bodies.map((body) =>
    body === undefined ? undefined : typeNameOf(body.group, body.version, body.kind),
  );
  return [...own, ...others].filter(
    (name) => name !== undefined && builtinType(name) !== undefined,
  ) as string[];
}
