import { textAt } from '#base/json.ts';
import { formatMicroTime, formatTime, seconds } from '#base/time.ts';
import { Secret } from '#edge/secret.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import type { SessionInfo } from '#web/wire/session.ts';
import { jsonAnswer, refusal } from './answers.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { readJson } from './read-body.ts';
import type { ClusterLogin } from './session/cluster-connector.ts';
import { proxyLogin } from './session/proxy-login.ts';
import { signIn } from './session/sign-in.ts';
import { clearCookie, setCookie } from './session/session-cookie.ts';
import type { Session } from './session/sessions.ts';

const longestBody = 64 * 1024;
const patience = seconds(20);

/** `GET /api/session`. */
export const showSession = (dashboard: DashboardParts, session: Session | undefined): ApiResponse =>
  jsonAnswer(200, infoOf(dashboard, session));

function infoOf({ deps }: DashboardParts, session: Session | undefined): SessionInfo {
  if (session === undefined) return { isSignedIn: false, signIn: deps.signIn };
  const { identity, csrf, endsAt } = session;
  const { server, namespace, isEmbedded } = deps.connector;
  return {
    isSignedIn: true,
    user: identity.user,
    groups: identity.groups,
    server,
    namespace,
    isEmbedded,
    version: deps.version,
    csrf,
    endsAt: formatTime(endsAt),
    now: formatMicroTime(deps.clock.now()),
  };
}

/** `POST /api/session`: signs in with the token of a link or of Kubernetes. */
export async function openSession(dashboard: DashboardParts, request: ApiRequest): Promise<ApiResponse> {
  const body = await readJson(request, longestBody);
  if (body.type === 'refused') return refusal(body.status, body.message);
  const login = loginOf(dashboard, textAt(body.json, 'link'), textAt(body.json, 'token')?.trim());
  return login.type === 'refused' ? refusal(401, login.message) : openWith(dashboard, request, login);
}

/** `GET /api/session` behind a proxy that has signed the user in. */
export async function openProxied(dashboard: DashboardParts, request: ApiRequest): Promise<ApiResponse> {
  const login = proxyLogin(request.headers);
  if (login.type === 'none') return showSession(dashboard, undefined);
  return login.type === 'refused' ? refusal(401, login.message) : openWith(dashboard, request, login);
}

async function openWith(
  dashboard: DashboardParts,
  request: ApiRequest,
  login: ClusterLogin,
): Promise<ApiResponse> {
  const { clock, connector, port } = dashboard.deps;
  const late = new AbortController();
  const cancel = clock.after(patience, () => late.abort(new Error('the cluster does not answer')));
  try {
    const result = await signIn(connector, login, AbortSignal.any([late.signal, request.signal]));
    if (result.type !== 'user') return refusal(result.type === 'refused' ? 401 : 503, result.message);
    const session = dashboard.open(result.user);
    const span = (session.endsAt - clock.now()) / 1000;
    return jsonAnswer(200, infoOf(dashboard, session), {
      'set-cookie': setCookie(request.headers, port, session.id, span),
    });
  } finally {
    cancel();
  }
}

type ReadLogin = ClusterLogin | { readonly type: 'refused'; readonly message: string };

function loginOf(dashboard: DashboardParts, link: string | undefined, token: string | undefined): ReadLogin {
  if (dashboard.deps.signIn === 'proxy')
    return { type: 'refused', message: 'sign in at the proxy in front of the dashboard' };
  if (token !== undefined && token !== '') {
    // A token with other characters could not be a header.
    if (/^[\w.~+/=-]{1,32768}$/.test(token)) return { type: 'token', token: new Secret(token) };
    return { type: 'refused', message: 'this is not a token: it has characters that no token has' };
  }
  if (link === undefined || dashboard.deps.signIn !== 'link')
    return { type: 'refused', message: 'sign in with a Kubernetes token' };
  if (dashboard.redeem(link)) return { type: 'own' };
  const message = 'this link was used already, or is older than 10 minutes';
  return { type: 'refused', message: `${message}: a new one is printed where boathook runs` };
}

/** `DELETE /api/session`. */
export function endSession(dashboard: DashboardParts, request: ApiRequest, session: Session): ApiResponse {
  dashboard.sessions.end(session.id, 'you have signed out');
  return jsonAnswer(
    200,
    { isSignedIn: false, signIn: dashboard.deps.signIn },
    { 'set-cookie': clearCookie(request.headers, dashboard.deps.port) },
  );
}
