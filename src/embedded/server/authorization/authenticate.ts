import type { ApiRequest } from '#kube/http.ts';
import { issuer } from '#embedded/server/rbac/account-claims.ts';
import { authenticated, type User } from '#kube/user.ts';
import { ApiError } from '#kube/status.ts';
import type { KnowToken } from '#embedded/server/rbac/access.ts';

/** A line of a token file: who a bearer token belongs to. */
export type TokenUser = {
  readonly token: string;
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
};

/** What a request's credentials prove. */
export type RequestIdentity =
  | { readonly type: 'user'; readonly user: User }
  /** There are no credentials. */
  | { readonly type: 'anonymous' }
  /** There are credentials, but they are invalid. */
  | { readonly type: 'unknown' };

/** Users by bearer token, or else by client certificate. */
export function identify({ headers, peer }: ApiRequest, knowToken: KnowToken): RequestIdentity {
  const bearer = /^bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1];
  if (bearer !== undefined) {
    const known = knowToken(bearer, ownAudiences);
    return known === undefined ? { type: 'unknown' } : { type: 'user', user: known.user };
  }
  if (peer.certificate === undefined) return { type: 'anonymous' };
  return { type: 'user', user: userOf(peer.certificate.user, '', peer.certificate.groups) };
}

/** The audiences for which this server takes tokens. */
export const ownAudiences: readonly string[] = [issuer];

/** First the tokens of a token file, which are valid for this server only, then other tokens. */
export function tokenKnower(tokens: readonly TokenUser[], others: KnowToken | undefined): KnowToken {
  const byToken = new Map(tokens.map((each) => [each.token, userOf(each.name, each.uid, each.groups)]));
  return (token, audiences) => {
    const user = byToken.get(token);
    if (user === undefined) return others?.(token, audiences);
    const good = ownAudiences.filter((each) => audiences.includes(each));
    return good.length === 0 ? undefined : { user, audiences: good };
  };
}

const userOf = (name: string, uid: string, groups: readonly string[]): User => ({
  name,
  uid,
  groups: [...new Set([...groups, authenticated])],
  extra: {},
});

export const unauthorized = (): ApiError =>
  new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

/**
 * Reads a token file: one `token,user,uid[,"group1,group2"]` a line, as kube-apiserver takes it. Throws with
 * the number of the line that is wrong.
 */
export function parseTokenFile(text: string): readonly TokenUser[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [token = '', name = '', uid, groups = ''] = splitCsv(line);
    if (token === '' || name === '' || uid === undefined) {
      throw new Error(
        `line ${at + 1} of the token file does not have the form token,user,uid[,"group1,group2"]`,
      );
    }
    return [{ token, name, uid, groups: groups.split(',').filter((group) => group !== '') }];
  });
}

function splitCsv(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g);
  return Array.from(fields, ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"'),
  );
}
