import type { OutgoingRequest } from './outgoing.ts';

/** One request of a call, its address taken apart. */
export type Hop = { readonly request: OutgoingRequest; readonly url: URL };

export type NextHop =
  | { readonly type: 'answer' }
  | { readonly type: 'follow'; readonly hop: Hop }
  | { readonly type: 'refused'; readonly message: string };

/** The target of a redirect, if the response is one. */
export function nextHop(hop: Hop, status: number, location: string | undefined): NextHop {
  const { request, url } = hop;
  if (!redirects.has(status) || location === undefined || request.redirects === 'refuse')
    return { type: 'answer' };
  const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol))
    return {
      type: 'refused',
      message: `${url.origin} redirects to something that is no http or https address`,
    };
  if (url.protocol === 'https:' && target.protocol === 'http:')
    return {
      type: 'refused',
      message: `${url.origin} redirects to ${target.origin}, which is not encrypted: call that address itself if it is meant`,
    };
  target.username = '';
  target.password = '';
  target.hash = '';
  const asked = isTurnedIntoGet(status, request.method) ? asGet(request) : request;
  const next = { ...asked, url: target.href };
  return {
    type: 'follow',
    hop: { request: target.origin === url.origin ? next : forStranger(next), url: target },
  };
}

export const mostRedirects = 5;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const isTurnedIntoGet = (status: number, method: string): boolean =>
  status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';

function asGet({ body: _body, ...request }: OutgoingRequest): OutgoingRequest {
  return {
    ...request,
    method: 'GET',
    headers: keep(request.headers, (name) => !name.startsWith('content-')),
  };
}

/** Any header may carry a secret, and so does a certificate: another host gets only what surely carries none. */
function forStranger({ tls, ...request }: OutgoingRequest): OutgoingRequest {
  const headers = keep(request.headers, (name) => harmless.has(name));
  if (tls === undefined) return { ...request, headers };
  const { cert: _cert, key: _key, ...trust } = tls;
  return { ...request, headers, tls: trust };
}

const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
]);

const keep = (
  headers: OutgoingRequest['headers'],
  isKept: (name: string) => boolean,
): OutgoingRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name.toLowerCase())));
