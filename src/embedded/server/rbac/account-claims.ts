import { at, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { accountGroups, accountUserName, type User } from '#kube/user.ts';

/** The issuer of tokens, and their default audience. */
export const issuer = 'https://kubernetes.default.svc';

const privateClaim = 'kubernetes.io';

/** Objects a token may be bound to: it is good only as long as they exist. */
export type BoundKind = 'pod' | 'secret' | 'node';
export type BoundObject = { readonly kind: BoundKind; readonly name: string; readonly uid: string };

export type TokenOrder = {
  readonly account: KubeObject;
  readonly audiences: readonly string[];
  readonly bound: readonly BoundObject[];
  readonly now: Instant;
  readonly lifetimeSeconds: number;
  readonly id: string;
};

/** The claims of a service account's token, as Kubernetes spells them. */
export function claimsOf({ account, audiences, bound, now, lifetimeSeconds, id }: TokenOrder): JsonObject {
  const [namespace, name] = [namespaceOf(account), nameOf(account)];
  const issued = Math.floor(now / 1000);
  return {
    aud: audiences,
    exp: issued + lifetimeSeconds,
    iat: issued,
    iss: issuer,
    jti: id,
    [privateClaim]: {
      namespace,
      ...Object.fromEntries(bound.map((each) => [each.kind, { name: each.name, uid: each.uid }])),
      serviceaccount: { name, uid: uidOf(account) },
    },
    nbf: issued,
    sub: accountUserName(namespace, name),
  };
}

/** The claims of a token, before the existence of its objects is checked. */
export type AccountToken = {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly bound: readonly BoundObject[];
  readonly audiences: readonly string[];
  readonly user: User;
};

const boundKinds: readonly BoundKind[] = ['pod', 'secret', 'node'];

/** Reads verified claims; undefined when they are not ours, or not good at this time. */
export function accountToken(claims: JsonObject, now: Instant): AccountToken | undefined {
  const seconds = now / 1000;
  const namespace = textAt(claims, privateClaim, 'namespace') ?? '';
  const account = named(claims, 'serviceaccount');
  if (account === undefined || textAt(claims, 'iss') !== issuer) return undefined;
  if (textAt(claims, 'sub') !== accountUserName(namespace, account.name)) return undefined;
  if (seconds >= (numberAt(claims, 'exp') ?? 0) || seconds < (numberAt(claims, 'nbf') ?? 0)) return undefined;
  const bound = boundKinds.flatMap((kind) => {
    const found = named(claims, kind);
    return found === undefined ? [] : [{ kind, ...found }];
  });
  return {
    namespace,
    account,
    bound,
    audiences: listAt(claims, 'aud').filter((each) => typeof each === 'string'),
    user: {
      name: accountUserName(namespace, account.name),
      uid: account.uid,
      groups: [...accountGroups(namespace), 'system:authenticated'],
      extra: extraOf(claims, bound),
    },
  };
}

function named(claims: JsonObject, key: string): { name: string; uid: string } | undefined {
  const found = objectAt(claims, privateClaim, key);
  const [name, uid] = [at(found, 'name'), at(found, 'uid')];
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
}

/** Extra fields of the user: credential, pod and node of the token. */
function extraOf(claims: JsonObject, bound: readonly BoundObject[]): User['extra'] {
  const id = textAt(claims, 'jti') ?? '';
  const extra: Record<string, readonly string[]> =
    id === '' ? {} : { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] };
  for (const { kind, name, uid } of bound) {
    if (kind === 'secret') continue;
    extra[`authentication.kubernetes.io/${kind}-name`] = [name];
    extra[`authentication.kubernetes.io/${kind}-uid`] = [uid];
  }
  return extra;
}
