import type { Journal } from '#base/journal.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import { minutes, type Clock, type Millis } from '#base/time.ts';
import type { ApiRequest, ApiResponse, RequestGate, Serve } from '#kube/http.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import type { User } from '#kube/user.ts';
import { ApiError } from '#kube/status.ts';
import { pageNotFound, plainType, refusal, text, withHeaders, withWarnings } from './request/answer.ts';
import type { TokenUser } from './authorization/authenticate.ts';
import type { AuthorizationMode } from './rbac/access.ts';
import { Aggregation } from './authorization/aggregation.ts';
import { authorizeWrite } from './authorization/authorize-write.ts';
import { NobodyToImpersonate } from './authorization/impersonate.ts';
import { admittedUser, openAccess } from './authorization/open-access.ts';
import { ensurePolicy } from './authorization/policy.ts';
import { bootstrap } from './bootstrap.ts';
import type { Call, LogSource, ServerContext, YamlParser } from './request/call.ts';
import { Definitions } from './definitions/definitions.ts';
import { Discovery, methodNotAllowed, resourceNotFound } from './discovery/discovery.ts';
import { OpenApi } from './discovery/open-api.ts';
import { dispatch } from './dispatch.ts';
import { gitVersion, health, versionAnswer, type HealthChecks, type Version } from './health.ts';
import { Registry } from './registry/registry.ts';
import type { ApiResource } from './registry/resource.ts';
import { checkTimeout, parseQuery } from './request/request-options.ts';
import { routeOf, type ResourceTarget } from './request/route.ts';
import { eventStorage } from './store/expiry.ts';
import type { HistoryLimits } from './store/history.ts';
import { Store } from './store/store.ts';
import { WatchHub } from './watch/hub.ts';
import { readBody } from './write/read-body.ts';

export type ApiServerDeps = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly yaml: YamlParser;
  /** Bearer tokens that are known from the start. */
  readonly tokens: readonly TokenUser[];
  readonly authorization: AuthorizationMode;
  /** Signs the tokens of service accounts; without it there are none. */
  readonly tokenSigner?: TokenSigner;
  readonly version: Version;
  readonly history?: HistoryLimits;
  /** How long events are kept after they were last written: an hour unless given, 0 for ever. */
  readonly eventTtl?: Millis;
  /** Between two bookmarks of a watch: a minute unless given. */
  readonly bookmarkEvery?: Millis;
  /** The logs of containers, once simulated nodes run. */
  readonly logs?: () => LogSource | undefined;
  /** Further checks that must pass before `/readyz` returns ok. */
  readonly checks?: HealthChecks;
  /** Called with errors that no request caused. */
  readonly report: (error: unknown) => void;
};

export type ApiServer = {
  readonly serve: Serve;
  readonly context: ServerContext;
  /** Definitions that were stored are served, and nothing is left to establish. */
  readonly settled: () => Promise<void>;
  /** Commits what is queued and closes the journal. */
  readonly close: () => void;
};

/** The API server: one function from request to response over a journal. */
export async function createApiServer(deps: ApiServerDeps): Promise<ApiServer> {
  const { clock, random, yaml, journal, tasks, history } = deps;
  const store = new Store({
    journal,
    clock,
    tasks,
    report: deps.report,
    expiring: { resource: eventStorage, ttl: deps.eventTtl ?? minutes(60) },
    ...(history === undefined ? {} : { limits: history }),
  });
  const { authorization: mode, tokens, tokenSigner: signer } = deps;
  const access = openAccess(store, clock, { mode, tokens, signer });
  const logs = deps.logs ?? ((): undefined => undefined);
  const context: ServerContext = {
    store,
    registry: new Registry(),
    clock,
    random,
    tasks,
    yaml,
    access,
    logs,
    bookmarkEvery: deps.bookmarkEvery,
  };
  const hub = new WatchHub(store);
  await bootstrap(context);
  if (mode === 'rbac') {
    await ensurePolicy(context);
    await new Aggregation(context, deps.report).settled();
  }
  const definitions = new Definitions(context, hub, deps.report);
  await definitions.settled();
  const server = new Server(deps, context, hub);
  return {
    serve: (request) => server.serve(request),
    context,
    settled: () => definitions.settled(),
    close: () => store.close(),
  };
}

class Server {
  readonly #deps: ApiServerDeps;
  readonly #context: ServerContext;
  readonly #hub: WatchHub;
  readonly #discovery: Discovery;
  readonly #openApi: OpenApi;
  readonly #checks: HealthChecks;

  constructor(deps: ApiServerDeps, context: ServerContext, hub: WatchHub) {
    this.#deps = deps;
    this.#context = context;
    this.#hub = hub;
    this.#discovery = new Discovery(context.registry);
    this.#openApi = new OpenApi(context.registry, gitVersion(deps.version));
    this.#checks = { ping: () => true, log: () => true, ...deps.checks };
  }

  async serve(request: ApiRequest): Promise<ApiResponse> {
    const warnings: string[] = [];
    const answer = await this.#attempt(request, warnings);
    return withHeaders(withWarnings(answer, warnings), { 'audit-id': this.#context.random.uuid() });
  }

  async #attempt(request: ApiRequest, warnings: string[]): Promise<ApiResponse> {
    try {
      return await this.#answer(request, warnings);
    } catch (error) {
      if (error instanceof ApiError) return refusal(error);
      if (error instanceof NobodyToImpersonate) return nobodyToImpersonate(request, error);
      this.#deps.report(error);
      const message = `Internal error occurred: ${error instanceof Error ? error.message : 'unknown'}`;
      return refusal(new ApiError({ code: 500, reason: 'InternalError', message }));
    }
  }

  async #answer(request: ApiRequest, warnings: string[]): Promise<ApiResponse> {
    const route = routeOf(request.path);
    if (route.type === 'health') return health(this.#checks, request, route);
    const user = admittedUser(this.#context.access, request, route);
    if (request.gate !== undefined) await ownTurn(request, request.gate);
    switch (route.type) {
      case 'version':
        return versionAnswer(this.#deps.version, request);
      case 'discovery':
        return this.#discovery.answer(request, route.path);
      case 'resource':
        return this.#resource(request, route.target, user, warnings);
      case 'openapi':
        return this.#openApi.answer(request, route.path);
      case 'unknown':
        return pageNotFound();
    }
  }

  async #resource(
    request: ApiRequest,
    target: ResourceTarget,
    user: User,
    warnings: string[],
  ): Promise<ApiResponse> {
    const { registry } = this.#context;
    const resource = registry.find(target.group, target.version, target.plural);
    if (resource === undefined || isMisplaced(resource, target)) {
      if (!registry.isBuiltin(target.group)) return pageNotFound();
      throw resourceNotFound();
    }
    const query = parseQuery(request.query);
    checkTimeout(query);
    const call: Call = {
      request,
      resource,
      target,
      query,
      user,
      warnings,
      authorizeWrite: authorizeWrite(this.#context.access.authorizer, { request, resource, target, user }),
    };
    if (isUnplaced(call)) throw methodNotAllowed();
    if (resource.source.type === 'custom' && resource.source.deprecation !== undefined) {
      warnings.push(resource.source.deprecation);
    }
    return dispatch(this.#context, this.#hub, call);
  }
}

/** Waits for the body first, so that a slow client does not delay other requests. */
async function ownTurn(request: ApiRequest, gate: RequestGate): Promise<void> {
  // Readers of the body get the error again.
  if (request.method !== 'GET') await readBody(request).catch(() => undefined);
  await gate.turn();
}

/** kube-apiserver responds in this way. */
const nobodyToImpersonate = ({ path }: ApiRequest, { message }: NobodyToImpersonate): ApiResponse =>
  text(500, plainType, `Internal Server Error: "${path}": ${message}\n`);

/** True for a namespace with a cluster-scoped resource, or a name without the namespace that it needs. */
function isMisplaced(resource: ApiResource, target: ResourceTarget): boolean {
  if (!resource.namespaced) return target.namespace !== undefined;
  return target.namespace === undefined && target.name !== undefined;
}

/** Namespaced resources are read across namespaces, but written in one. */
const isUnplaced = ({ resource, target, request }: Call): boolean =>
  resource.namespaced &&
  target.namespace === undefined &&
  request.method !== 'GET' &&
  request.method !== 'HEAD';
