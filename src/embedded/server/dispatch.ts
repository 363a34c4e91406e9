import type { ApiResponse } from '#kube/http.ts';
import { ephemeralContainerRules } from '#embedded/kinds/rules/pod.ts';
import { ApiError } from '#kube/status.ts';
import type { Call, ServerContext } from './request/call.ts';
import { methodNotAllowed, resourceNotFound } from './discovery/discovery.ts';
import { subresourceInfo } from '#embedded/kinds/subresource-kinds.ts';
import type { ApiResource } from './registry/resource.ts';
import { flag } from './request/request-options.ts';
import { bind } from './subresources/binding.ts';
import { evict } from './subresources/eviction.ts';
import { finalize } from './subresources/finalize.ts';
import { podLog } from './subresources/log.ts';
import { review } from './subresources/reviews.ts';
import { scale } from './subresources/scale.ts';
import { issueToken } from './subresources/token.ts';
import { create } from './verbs/create.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { remove, removeCollection } from './verbs/remove.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';
import type { WatchHub } from './watch/hub.ts';

/** The Kubernetes verb of a request. */
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

/** Calls the function of the request's verb or subresource. */
export async function dispatch(context: ServerContext, hub: WatchHub, call: Call): Promise<ApiResponse> {
  const verb = verbOf(call);
  const { resource, target } = call;
  if (target.subresource !== undefined) return subresource(context, call, verb, target.subresource);
  if (!resource.verbs.includes(verb)) throw methodNotAllowed();
  // Built-in kinds that can only be created are answered, never stored; a custom kind may well be called a review.
  if (resource.storage === '/bindings') return bind(context, call);
  if (!resource.verbs.includes('get')) return review(context, call);
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
  if (name === 'ephemeralcontainers')
    return subresource(context, { ...call, resource: withEphemeralRules(resource) }, verb, 'status');
  if (name === 'status') return status(context, call, verb);
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) throw notSupported(resource.plural, name);
  return act(context, call);
}

type Act = (context: ServerContext, call: Call) => Promise<ApiResponse> | ApiResponse;

const acts: Readonly<Record<string, Act>> = {
  scale,
  binding: bind,
  eviction: evict,
  finalize,
  log: podLog,
  token: issueToken,
};

async function status(context: ServerContext, call: Call, verb: string): Promise<ApiResponse> {
  if (verb === 'get') return get(context, call);
  return verb === 'update' ? update(context, call) : patch(context, call);
}

/** An update of this list follows rules of its own. */
const withEphemeralRules = (pods: ApiResource): ApiResource => ({
  ...pods,
  rules: ephemeralContainerRules,
});

/** What this server lacks is refused by name. */
const notSupported = (plural: string, name: string): ApiError =>
  new ApiError({
    code: 501,
    reason: 'NotImplemented',
    message: `the embedded API server does not support ${plural}/${name}: simulated containers run no processes`,
    details: { kind: plural, causes: [{ reason: 'NotSupported', message: `subresource ${name}` }] },
  });
