import type { Headers } from '#kube/http.ts';

/** Cookies of one host are shared by its ports: the name contains the port, so that dashboards do not end each other. */
const nameOf = (port: number): string => `boathook-session-${port}`;

export function sessionCookie(headers: Headers, port: number): string | undefined {
  const wanted = `${nameOf(port)}=`;
  const found = (headers['cookie'] ?? '').split(/;\s*/).find((each) => each.startsWith(wanted));
  return found?.slice(wanted.length);
}

/** Secure where a proxy says that the browser uses TLS; plain HTTP on loopback could not send it back. */
const attributes = (headers: Headers): string =>
  `Path=/; HttpOnly; SameSite=Strict${headers['x-forwarded-proto'] === 'https' ? '; Secure' : ''}`;

export const setCookie = (headers: Headers, port: number, id: string, seconds: number): string =>
  `${nameOf(port)}=${id}; ${attributes(headers)}; Max-Age=${Math.max(0, Math.floor(seconds))}`;

export const clearCookie = (headers: Headers, port: number): string =>
  `${nameOf(port)}=; ${attributes(headers)}; Max-Age=0`;
