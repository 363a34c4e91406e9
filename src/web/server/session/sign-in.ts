import { listAt, textAt } from '#base/json.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { Secret } from '#edge/secret.ts';
import type { Resource } from '#kube/resource.ts';
import type { ClusterConnector, ClusterLogin } from './cluster-connector.ts';
import { userKey } from './proxy-login.ts';
import { secretName } from './same-secret.ts';
import type { SignedInUser } from './signed-in-user.ts';
import { tokenEnd } from './token-end.ts';

export type SignInResult =
  | { readonly type: 'user'; readonly user: SignedInUser }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'unavailable'; readonly message: string };

const reviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  namespaced: false,
};
const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

/** Asks the cluster who a login is. A token that it refuses signs nobody in. */
export async function signIn(
  connector: ClusterConnector,
  login: ClusterLogin,
  signal: AbortSignal,
): Promise<SignInResult> {
  const opened = connector.open(login);
  const { client, askLog } = opened;
  const close = (): Promise<void> => opened.close();
  try {
    const outcome = await client.create(reviews, review, signal);
    if (outcome.type === 'unauthorized' || (outcome.type !== 'ok' && login.type !== 'own')) {
      await close();
      return { type: 'refused', message: `${refusals[login.type]}: ${outcome.message}` };
    }
    // A cluster that does not tell may be an old one: then the user is not known by name.
    const info = outcome.type === 'ok' ? outcome.object : {};
    const groups = listAt(info, 'status', 'userInfo', 'groups').filter((each) => typeof each === 'string');
    const name = textAt(info, 'status', 'userInfo', 'username') ?? '';
    if (login.type === 'token' && name === 'system:anonymous') {
      await close();
      return { type: 'refused', message: 'the cluster does not know this token' };
    }
    return { type: 'user', user: { ...identity(login), user: name, groups, client, askLog, close } };
  } catch (error) {
    await close();
    if (!(error instanceof Unavailable)) throw error;
    return { type: 'unavailable', message: `the cluster cannot be reached: ${error.message}` };
  }
}

const refusals: Readonly<Record<ClusterLogin['type'], string>> = {
  own: 'the cluster does not accept the credentials of boathook',
  token: 'the cluster does not accept the token',
  user: 'the dashboard may not act as this user',
};

function identity(login: ClusterLogin): Pick<SignedInUser, 'key' | 'endsAt' | 'isOwn'> {
  switch (login.type) {
    case 'own':
      return { key: 'own', endsAt: undefined, isOwn: true };
    case 'token':
      return { key: keyOf(login.token), endsAt: tokenEnd(login.token), isOwn: false };
    case 'user':
      return { key: userKey(login), endsAt: undefined, isOwn: true };
  }
}

const keyOf = (token: Secret): string => `token ${secretName(token.reveal())}`;
