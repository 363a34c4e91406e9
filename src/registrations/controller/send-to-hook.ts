import { millis, type Millis } from '#base/time.ts';
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import type { Witness } from '#hooks/call/evidence.ts';
import type { HookAnswer } from '#registrations/decide/cycle.ts';
import type { ServiceRoute } from './service-route.ts';

/** The route to a Service whose DNS name does not resolve, as outside of the cluster. */
export type FindRoute = (url: string, signal: AbortSignal) => Promise<ServiceRoute | undefined>;

type SendDeps = { readonly outgoing: Outgoing; readonly findRoute: FindRoute };

/** Sends a request, a second time by the route of its Service if DNS does not know the host. Secrets are hidden. */
export async function sendToHook(
  deps: SendDeps,
  request: OutgoingRequest,
  witness: Witness,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const answer = await send(deps, request, signal);
  if (answer.type === 'failed') return { type: 'failed', message: witness.text(answer.message) };
  const { status, headers, body } = answer;
  return { type: 'answer', status, retryAfter: headers['retry-after'], body: witness.hide(body) };
}

async function send(
  { outgoing, findRoute }: SendDeps,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const answer = await outgoing(request, signal);
  if (answer.type !== 'failed' || answer.why !== 'dns') return answer;
  const way = await findRoute(request.url, signal);
  if (way === undefined) return answer;
  const { url, host, serverName } = way;
  return outgoing(
    {
      ...request,
      url,
      headers: { ...request.headers, host },
      timeout: rest(request.timeout, answer.latency),
      ...(serverName === undefined ? {} : { tls: { serverName, ...request.tls } }),
    },
    signal,
  );
}

/** The rest of the timeout, in whole seconds, so that error messages stay the same. */
const rest = (timeout: Millis, spent: Millis): Millis =>
  millis(Math.max(100, timeout - Math.floor(spent / 1000) * 1000));
