import type { Attributes } from './attributes.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { HeldRules } from './rbac-index.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import type { User } from '#kube/user.ts';
import type { AccessDecision } from './verdict.ts';

/** `allow`: whoever is known may do everything. `rbac`: what roles and bindings say. */
export type AuthorizationMode = 'allow' | 'rbac';

/** Judges what users want to do. */
export type Authorizer = {
  readonly mode: AuthorizationMode;
  check(user: User, attributes: Attributes): AccessDecision;
  rulesFor(user: User, namespace: string): HeldRules;
  /** The rules of a role that a binding in `namespace` refers to; undefined when there is no such role. */
  roleRules(namespace: string, roleKind: string, roleName: string): readonly PolicyRule[] | undefined;
};

/** Whom a token belongs to, and for which of the wanted audiences it is good. */
export type KnownToken = { readonly user: User; readonly audiences: readonly string[] };

/** Finds out whose a bearer token is; undefined when it is nobody's, or good for none of the audiences. */
export type KnowToken = (token: string, audiences: readonly string[]) => KnownToken | undefined;

/** Who may do what, for all verbs to ask. */
export type AccessControl = {
  readonly authorizer: Authorizer;
  readonly knowToken: KnowToken;
  /** Undefined: this server issues no tokens. */
  readonly signer: TokenSigner | undefined;
};
