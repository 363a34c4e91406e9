import type { Attributes } from './attributes.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { HeldRules } from './rbac-index.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import type { User } from '#kube/user.ts';
import type { AccessDecision } from './verdict.ts';

/** `allow`: every authenticated user may do everything. `rbac`: roles and bindings decide. */
export type AuthorizationMode = 'allow' | 'rbac';

/** Decides whether a user may do something. */
export type Authorizer = {
  readonly mode: AuthorizationMode;
  check(user: User, attributes: Attributes): AccessDecision;
  rulesFor(user: User, namespace: string): HeldRules;
  /** The rules of a role that a binding in `namespace` refers to; undefined when there is no such role. */
  roleRules(namespace: string, roleKind: string, roleName: string): readonly PolicyRule[] | undefined;
};

/** The user of a token, and the requested audiences for which it is valid. */
export type KnownToken = { readonly user: User; readonly audiences: readonly string[] };

/** Finds the user of a bearer token; undefined when it is invalid, or valid for none of the audiences. */
export type KnowToken = (token: string, audiences: readonly string[]) => KnownToken | undefined;

/** Authorization and authentication, as all verbs use them. */
export type AccessControl = {
  readonly authorizer: Authorizer;
  readonly knowToken: KnowToken;
  /** Undefined: this server issues no tokens. */
  readonly signer: TokenSigner | undefined;
};
