import { textAt, type JsonObject } from '#base/json.ts';
import { later, minutes, parseTime, type Clock, type Instant } from '#base/time.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { accountToken, type AccountToken, type BoundObject } from '#embedded/server/rbac/account-claims.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import type { Store } from '#embedded/server/store/store.ts';
import type { KnowToken } from '#embedded/server/rbac/access.ts';

/** Tokens in the cache: checking a signature takes longer than all else about a small request. */
const remembered = 1000;

/** Whose a service account's token is, as long as the account and what the token is bound to exist. */
export function accountTokens(store: Store, clock: Clock, signer: TokenSigner): KnowToken {
  const verified = new Map<string, JsonObject>();
  const claimsIn = (token: string): JsonObject | undefined => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const claims = signer.verify(token);
    if (claims === undefined) return undefined;
    if (verified.size >= remembered) verified.clear();
    verified.set(token, claims);
    return claims;
  };
  return (token, audiences) => {
    const claims = claimsIn(token);
    const now = clock.now();
    const found = claims === undefined ? undefined : accountToken(claims, now);
    if (found === undefined || !isAlive({ store, now }, found)) return undefined;
    const good = found.audiences.filter((each) => audiences.includes(each));
    return good.length === 0 ? undefined : { user: found.user, audiences: good };
  };
}

type World = { readonly store: Store; readonly now: Instant };

function isAlive(world: World, { namespace, account, bound }: AccountToken): boolean {
  if (!exists(world, '/serviceaccounts', `${namespace}/${account.name}`, account.uid)) return false;
  const hasPod = bound.some(({ kind }) => kind === 'pod');
  // The node of a pod's token is informational: it need not exist.
  return bound.every((each) => (hasPod && each.kind === 'node') || isBoundAlive(world, namespace, each));
}

const isBoundAlive = (world: World, namespace: string, { kind, name, uid }: BoundObject): boolean =>
  exists(world, `/${kind}s`, `${kind === 'node' ? '' : namespace}/${name}`, uid);

function exists({ store, now }: World, resource: string, key: string, uid: string): boolean {
  const stored = store.table(resource).get(key);
  return stored !== undefined && uidOf(stored.object) === uid && !isOverdue(stored.object, now);
}

/** Tokens of an object that is being deleted stay valid until a minute after its deletion time. */
function isOverdue(object: KubeObject, now: Instant): boolean {
  const deletion = parseTime(textAt(object, 'metadata', 'deletionTimestamp') ?? '');
  return deletion !== undefined && later(deletion, minutes(1)) < now;
}
