import type { Transport } from '#edge/kube/transport.ts';
import type { TokenUser } from '#embedded/server/authorization/authenticate.ts';
import type { ApiRequest, Headers } from '#kube/http.ts';
import { masters } from '#kube/user.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { prefixedUser, type Prefix } from './prefixed.ts';

export type Identities = {
  readonly connection: ClusterConnection;
  readonly prefix: Prefix;
  /** `allow`: everybody may do everything, as the administrator. */
  readonly authorization: 'allow' | 'rbac';
  readonly tokens: readonly TokenUser[];
};

const kept = ['accept', 'content-type', 'user-agent', 'if-none-match'];
const impersonating = ['impersonate-user', 'impersonate-group', 'impersonate-uid'];

/** In whose name a request is sent, and over which connection. */
export function identified(
  { headers: given, peer }: ApiRequest,
  { authorization: mode, connection, tokens, prefix }: Identities,
): { readonly headers: Readonly<Record<string, string | readonly string[]>>; readonly transport: Transport } {
  const headers = picked(given, kept);
  const own = { headers, transport: connection.own.transport };
  if (mode === 'allow') return own;
  const asked = picked(given, impersonating);
  const user = asked['impersonate-user'];
  const wish = { ...asked, ...(user !== undefined && { 'impersonate-user': prefixedUser(user, prefix) }) };
  const token = given['authorization']?.replace(/^Bearer /, '');
  const known = tokens.find((each) => each.token === token);
  if (token !== undefined && known === undefined)
    return {
      headers: { ...headers, ...wish, authorization: `Bearer ${token}` },
      transport: connection.bare.transport,
    };
  const who = known ?? (peer.certificate && { name: peer.certificate.user, groups: peer.certificate.groups });
  if (who === undefined) return { headers: { ...headers, ...wish }, transport: connection.bare.transport };
  if (user !== undefined || (known === undefined && who.groups.includes(masters)))
    return { ...own, headers: { ...headers, ...wish } };
  return { ...own, headers: { ...headers, 'impersonate-user': who.name, 'impersonate-group': who.groups } };
}

const picked = (headers: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => [name, headers[name]] as const)
      .filter((each): each is [string, string] => each[1] !== undefined),
  );
