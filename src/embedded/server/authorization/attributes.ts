import type { ApiRequest } from '#kube/http.ts';
import { checkPathSegment } from '#kube/names.ts';
import type { Attributes } from '#embedded/server/rbac/attributes.ts';
import { flag, parseQuery } from '#embedded/server/request/request-options.ts';
import type { Route, ResourceTarget } from '#embedded/server/request/route.ts';

/** The authorization attributes of a request, from its method, path and query. */
export function attributesOf(request: ApiRequest, route: Route): Attributes {
  if (route.type !== 'resource')
    return { type: 'path', verb: request.method.toLowerCase(), path: decoded(request.path) };
  const { target } = route;
  return {
    type: 'resource',
    ...actOf(request, target),
    group: target.group,
    resource: target.plural,
    subresource: target.subresource ?? '',
    // Permissions in a namespace also apply to the namespace object itself.
    namespace: target.namespace ?? (target.plural === 'namespaces' ? (target.name ?? '') : ''),
  };
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function actOf({ method, query }: ApiRequest, target: ResourceTarget): { verb: string; name: string } {
  const verb = target.watch ? 'watch' : (verbs[method] ?? '');
  const { name = '' } = target;
  if (name !== '') return { verb, name };
  if (verb === 'delete') return { verb: 'deletecollection', name };
  if (verb !== 'get') return { verb, name };
  if (query === '') return { verb: 'list', name };
  const options = parseQuery(query);
  return { verb: flag(options, 'watch') ? 'watch' : 'list', name: selectedName(options) };
}

/** A list with the field selector metadata.name needs permission for that object only. */
function selectedName(options: URLSearchParams): string {
  const selector = options.get('fieldSelector') ?? '';
  const names = selector.split(',').flatMap((each) => /^metadata\.name==?(.+)$/.exec(each)?.[1] ?? []);
  const [name = ''] = names;
  return checkPathSegment(name).length === 0 ? name : '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
