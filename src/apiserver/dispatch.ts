import type { ApiResponse } from '#kube/http.ts';
import { ephemeralContainerRules } from '#kube/rules/pod.ts';
import { ApiError } from '#kube/status.ts';
import type { Call, ServerContext } from './call.ts';
import { methodNotAllowed, resourceNotFound } from './discovery/discovery.ts';
import { subresourceInfo } from './registry/builtin-resources.ts';
import type { Resource } from './registry/resource.ts';
import { flag } from './request-options.ts';
import { bind } from './subresources/binding.ts';
import { evict } from './subresources/eviction.ts';
import { finalize } from './subresources/finalize.ts';
import { podLog } from './subresources/log.ts';
import { review } from './subresources/reviews.ts';
import { scale } from './subresources/scale.ts';
import { create } from './verbs/create.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { remove, removeCollection } from './verbs/remove.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';
import type { WatchHub } from './watch/hub.ts';

/** The verb a request asks for, as authorization and discovery name it. */
function verbOf(call: Call): string {
  const { request, target } = call;
  const named = target.name !== undefined;
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return readVerb(call);
    case 'POST':
      return named && target.subresource === undefined ? '' : 'create';
    case 'PUT':
      return named ? 'update' : '';
    case 'PATCH':
      return named ? 'patch' : '';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return '';
  }
}

function readVerb({ target, query }: Call): string {
  if (target.watch) return 'watch';
  if (target.name !== undefined) return 'get';
  return flag(query, 'watch') ? 'watch' : 'list';
}

/** Leads a call to the function that answers it. */
export async function dispatch(context: ServerContext, hub: WatchHub, call: Call): Promise<ApiResponse> {
  const verb = verbOf(call);
  const { resource, target } = call;
  if (target.subresource !== undefined) return subresource(context, call, verb, target.subresource);
  if (!resource.verbs.includes(verb)) throw methodNotAllowed();
  if (resource.plural === 'bindings') return bind(context, call);
  if (resource.plural.endsWith('reviews')) return review(context, call);
  switch (verb) {
    case 'get':
      return get(context, call);
    case 'list':
      return list(context, call);
    case 'watch':
      return watch(context, hub, call);
    case 'create':
      return create(context, call);
    case 'update':
      return update(context, call);
    case 'patch':
      return patch(context, call);
    case 'delete':
      return remove(context, call);
    default:
      return removeCollection(context, call);
  }
}

async function subresource(
  context: ServerContext,
  call: Call,
  verb: string,
  name: string,
): Promise<ApiResponse> {
  const { resource } = call;
  if (!resource.subresources.includes(name)) throw resourceNotFound();
  if (!subresourceInfo(resource.kind, name).verbs.includes(verb)) throw methodNotAllowed();
  switch (name) {
    case 'ephemeralcontainers':
      return subresource(context, { ...call, resource: withEphemeralRules(resource) }, verb, 'status');
    case 'status':
      return verb === 'get'
        ? get(context, call)
        : verb === 'update'
          ? update(context, call)
          : patch(context, call);
    case 'scale':
      return scale(context, call);
    case 'binding':
      return bind(context, call);
    case 'eviction':
      return evict(context, call);
    case 'finalize':
      return finalize(context, call);
    case 'log':
      return podLog(context, call);
    default:
      throw notSupported(resource.plural, name);
  }
}

/** An update of this list follows rules of its own. */
const withEphemeralRules = (pods: Resource): Resource => ({ ...pods, rules: ephemeralContainerRules });

/** What this server lacks is refused by name. */
const notSupported = (plural: string, name: string): ApiError =>
  new ApiError({
    code: 501,
    reason: 'NotImplemented',
    message: `the embedded API server does not support ${plural}/${name}: there is no node behind it that could answer`,
    details: { kind: plural, causes: [{ reason: 'NotSupported', message: `subresource ${name}` }] },
  });
