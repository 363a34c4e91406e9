import type { ApiRequest } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import type { User } from './call.ts';

/** A line of a token file: who a bearer token belongs to (A7). */
export type TokenUser = {
  readonly token: string;
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
};

export type Authenticate = (request: ApiRequest) => User | undefined;

/** Users by client certificate or by bearer token. */
export function authenticator(tokens: readonly TokenUser[]): Authenticate {
  const byToken = new Map(tokens.map((each) => [each.token, each]));
  return ({ headers, peer }) => {
    const bearer = /^bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1];
    const known = bearer === undefined ? undefined : byToken.get(bearer);
    if (known !== undefined) return userOf(known.name, known.uid, known.groups);
    if (peer.certificate === undefined || bearer !== undefined) return undefined;
    return userOf(peer.certificate.user, '', peer.certificate.groups);
  };
}

const userOf = (name: string, uid: string, groups: readonly string[]): User => ({
  name,
  uid,
  groups: [...new Set([...groups, 'system:authenticated'])],
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
