import type { ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import { act } from './acts-route.ts';
import { fileAnswer, refusal } from './answers.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { Identities } from './session/identities.ts';
import { guardRequest, isChanging } from './request-guard.ts';
import { endSession, openProxied, openSession, showSession } from './session-routes.ts';
import { proxyLogin, userKey } from './session/proxy-login.ts';
import { isSameSecret } from './session/same-secret.ts';
import { sessionCookie } from './session/session-cookie.ts';
import { Sessions, type Session } from './session/sessions.ts';
import type { SignedInUser } from './session/signed-in-user.ts';
import { openStream } from './stream-route.ts';
import { tryHook } from './trial-route.ts';

/** The dashboard: a function from request to response, and what its sessions share. */
export class Dashboard implements DashboardParts {
  readonly deps: DashboardDeps;
  readonly sessions: Sessions;
  readonly #identities: Identities;
  readonly #closing = new AbortController();

  constructor(deps: DashboardDeps) {
    const { clock, random, report } = deps;
    this.deps = deps;
    this.#identities = new Identities({
      clock,
      random,
      report,
      examples: deps.examples?.list ?? [],
      namespace: deps.connector.namespace,
      onUnauthorized: (key, message) =>
        this.sessions.endAll(`the cluster does not accept the token any more: ${message}`, key),
    });
    const onEnd = ({ identity }: Session): void => this.#identities.leave(identity);
    this.sessions = new Sessions({ clock, random, onEnd });
  }

  /** Aborts when the dashboard closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether this is the token of the link; if not, a new link is printed. */
  redeem(token: string): boolean {
    const { links, onNewLink } = this.deps;
    if (links.redeem(token)) return true;
    const renewed = links.renew();
    if (renewed !== undefined) onNewLink?.(renewed);
    return false;
  }

  open(user: SignedInUser): Session {
    return this.sessions.open(this.#identities.join(user), user.endsAt);
  }

  close(): void {
    this.#closing.abort(new Error('the dashboard is closing'));
    this.sessions.endAll('');
  }

  readonly serve: Serve = async (request) => {
    const refused = guardRequest(request, this.deps.hosts);
    if (refused !== undefined) return refusal(refused.status, refused.message);
    return request.path.startsWith('/api/') ? this.#api(request) : this.#file(request);
  };

  async #api(request: ApiRequest): Promise<ApiResponse> {
    const { method, path } = request;
    const session = this.#sessionOf(request);
    if (path === '/api/session') {
      if (method === 'GET')
        return session === undefined && this.deps.signIn === 'proxy'
          ? openProxied(this, request)
          : showSession(this, session);
      if (method === 'POST') return openSession(this, request);
    }
    if (session === undefined) return refusal(401, 'you are not signed in, or the session has ended');
    if (isForged(request, session))
      return refusal(
        403,
        'the header x-boathook-csrf is missing or not that of the session: load the page again',
      );
    switch (`${method} ${path}`) {
      case 'DELETE /api/session':
        return endSession(this, request, session);
      case 'GET /api/stream':
        return openStream(this, request, session);
      case 'POST /api/acts':
        return act(this, request, session);
      case 'POST /api/hooks/test':
        return tryHook(this, request, session);
      default:
        return refusal(404, `${method} ${path} is not served here`);
    }
  }

  /** Behind a proxy a session is only that of the user whom the proxy names with each request. */
  #sessionOf({ headers }: ApiRequest): Session | undefined {
    const session = this.sessions.find(sessionCookie(headers, this.deps.port) ?? '');
    if (session === undefined || this.deps.signIn !== 'proxy') return session;
    const login = proxyLogin(headers);
    if (login.type === 'user' && userKey(login) === session.identity.key) return session;
    this.sessions.end(session.id, 'the proxy has signed in another user');
    return undefined;
  }

  async #file({ method, path, headers }: ApiRequest): Promise<ApiResponse> {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'only GET and HEAD are answered here');
    try {
      const file = await this.deps.files.fileOf(path);
      return file === undefined
        ? refusal(404, `there is no file ${path}`)
        : fileAnswer(file, headers['accept-encoding']);
    } catch (error) {
      this.deps.report(error);
      return refusal(500, 'the page cannot be served: see the log of boathook');
    }
  }
}

/** A page of another site can make a browser send the cookie, but not this header. */
const isForged = (request: ApiRequest, { csrf }: Session): boolean =>
  isChanging(request) && !isSameSecret(request.headers['x-boathook-csrf'] ?? '', csrf);
