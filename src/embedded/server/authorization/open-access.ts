import type { Clock } from '#base/time.ts';
import type { ApiRequest } from '#kube/http.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import { anonymous, type User } from '#kube/user.ts';
import { identify, tokenKnower, unauthorized, type TokenUser } from './authenticate.ts';
import type { Route } from '#embedded/server/request/route.ts';
import type { Store } from '#embedded/server/store/store.ts';
import type { AccessControl, AuthorizationMode } from '#embedded/server/rbac/access.ts';
import { accountTokens } from './account-tokens.ts';
import { attributesOf } from './attributes.ts';
import { authorize } from './authorize.ts';
import { allowAll, rbacAuthorizer } from './authorizer.ts';
import { actingUser } from './impersonate.ts';

export type AccessOptions = {
  readonly mode: AuthorizationMode;
  readonly tokens: readonly TokenUser[];
  readonly signer: TokenSigner | undefined;
};

export function openAccess(
  store: Store,
  clock: Clock,
  { mode, tokens, signer }: AccessOptions,
): AccessControl {
  return {
    authorizer: mode === 'rbac' ? rbacAuthorizer(store) : allowAll,
    knowToken: tokenKnower(tokens, signer === undefined ? undefined : accountTokens(store, clock, signer)),
    signer,
  };
}

/** Authenticates, impersonates and authorizes a request; returns its user. */
export function admittedUser(
  { authorizer, knowToken }: AccessControl,
  request: ApiRequest,
  route: Route,
): User {
  const identity = identify(request, knowToken);
  if (identity.type === 'unknown') throw unauthorized();
  if (identity.type === 'user') request.gate?.identified(identity.user.name);
  // Without authorization, authentication is the only protection.
  if (identity.type === 'anonymous' && authorizer.mode === 'allow') throw unauthorized();
  const caller = identity.type === 'user' ? identity.user : anonymous;
  const user = actingUser(authorizer, request, caller);
  if (authorizer.mode === 'rbac') authorize(authorizer, user, attributesOf(request, route));
  return user;
}
