import type { Headers } from '#kube/http.ts';
import type { ClusterLogin } from './cluster-connector.ts';

type UserLogin = Extract<ClusterLogin, { readonly type: 'user' }>;

export type ProxyLogin =
  UserLogin | { readonly type: 'none' } | { readonly type: 'refused'; readonly message: string };

const longest = 256;
const mostGroups = 100;

/** The user whom a trusted proxy has signed in, as oauth2-proxy and others say it. */
export function proxyLogin(headers: Headers): ProxyLogin {
  const user = headers['x-forwarded-user']?.trim() ?? '';
  if (user === '') return { type: 'none' };
  const groups = (headers['x-forwarded-groups'] ?? '')
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '');
  const wrong = [user, ...groups].find((name) => !isUsual(name));
  if (wrong !== undefined)
    return { type: 'refused', message: `the dashboard does not act as "${wrong.slice(0, longest)}"` };
  if (groups.length > mostGroups)
    return { type: 'refused', message: `${user} is in more than ${mostGroups} groups` };
  return { type: 'user', user, groups: [...new Set(groups)].toSorted() };
}

/** Users and groups of Kubernetes itself are nobody's whom a proxy signs in. */
const isUsual = (name: string): boolean =>
  name.length <= longest &&
  /^[\x21-\x7e][\x20-\x7e]*$/.test(name) &&
  !name.toLowerCase().startsWith('system:');

/** Sessions of one user with the same groups share watches. */
export const userKey = ({ user, groups }: UserLogin): string => `user ${JSON.stringify([user, ...groups])}`;
