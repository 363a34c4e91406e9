import type { ApiRequest } from '#kube/http.ts';

/** Why a request is not answered. */
export type GuardRefusal = { readonly status: number; readonly message: string };

/**
 * Which Host headers are answered. On loopback only the names of loopback: a page elsewhere whose name was rebound to
 * 127.0.0.1 has another Host. Undefined: any, because in a cluster the name is that of a Service or an Ingress.
 */
export type AllowedHosts = ReadonlySet<string> | undefined;

export const loopbackHosts = (port: number): ReadonlySet<string> => {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set([...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]);
};

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const isChanging = ({ method }: Pick<ApiRequest, 'method'>): boolean => changing.has(method);

/** Checks Host and Origin; undefined when both are right. */
export function guardRequest(
  { headers }: Pick<ApiRequest, 'headers'>,
  hosts: AllowedHosts,
): GuardRefusal | undefined {
  const host = headers['host']?.toLowerCase() ?? '';
  if (host === '' || (hosts !== undefined && !hosts.has(host)))
    return {
      status: 421,
      message: `this server does not answer for the host "${host}": open the address that boathook printed`,
    };
  const origin = headers['origin'];
  if (origin !== undefined && hostOf(origin) !== host)
    return { status: 403, message: 'requests of pages of other origins are not answered' };
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate')
    return { status: 403, message: 'requests of pages of other sites are not answered' };
  return undefined;
}

function hostOf(origin: string): string | undefined {
  const url = URL.parse(origin);
  return url === null || !/^https?:$/.test(url.protocol) ? undefined : url.host.toLowerCase();
}
