import type { ApiRequest } from '#kube/http.ts';
import type { ResourceAttributes } from '#embedded/server/rbac/attributes.ts';
import {
  accountGroups,
  accountOf,
  anonymousName,
  authenticated,
  unauthenticated,
  type User,
} from '#kube/user.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';
import { authorize } from './authorize.ts';

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** The user that a request impersonates. */
type Wanted = {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
};

/** Impersonated groups, uid or extra without an impersonated user. */
export class NobodyToImpersonate extends Error {
  constructor(wanted: string) {
    super(`requested ${wanted} without impersonating a user`);
    this.name = 'NobodyToImpersonate';
  }
}

/** The user in whose name a request acts: the caller, or whom its headers name if the caller may. */
export function actingUser(authorizer: Authorizer, request: ApiRequest, caller: User): User {
  const names = Object.keys(request.headers).filter((name) => name.startsWith(prefix));
  if (names.length === 0) return caller;
  const wanted = wantedUser(request, names);
  if (wanted.name === '') {
    const asked = askedFor(wanted);
    if (asked.length === 0) return caller;
    throw new NobodyToImpersonate(`[${asked.join(' ')}]`);
  }
  for (const attributes of attributesOf(wanted)) authorize(authorizer, caller, attributes);
  return { ...wanted, groups: withUsualGroups(wanted) };
}

const valuesOf = (request: ApiRequest, name: string): readonly string[] => {
  const value = request.headers[name];
  return request.headerValues?.(name) ?? (value === undefined ? [] : [value]);
};

function wantedUser(request: ApiRequest, names: readonly string[]): Wanted {
  const extra = names
    .filter((name) => name.startsWith(extraPrefix))
    .map((name): [string, readonly string[]] => [
      unescaped(name.slice(extraPrefix.length)),
      valuesOf(request, name),
    ]);
  return {
    name: request.headers['impersonate-user'] ?? '',
    uid: request.headers['impersonate-uid'] ?? '',
    groups: valuesOf(request, 'impersonate-group'),
    extra: Object.fromEntries(extra),
  };
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The references as a real server prints them. */
function askedFor({ uid, groups, extra }: Wanted): readonly string[] {
  const extras = Object.entries(extra).flatMap(([key, values]) => values.map((value) => [value, key]));
  return [
    ...groups.map((name) => `{Group  ${name}    }`),
    ...extras.map(([value, key]) => `{UserExtra  ${value}  authentication.k8s.io/v1  ${key}}`),
    ...(uid === '' ? [] : [`{UID  ${uid}  authentication.k8s.io/v1  }`]),
  ];
}

/** Every part of the other identity needs the right to take it on. */
function attributesOf({ name, uid, groups, extra }: Wanted): readonly ResourceAttributes[] {
  const account = accountOf(name);
  const of = (resource: string, more: Partial<ResourceAttributes>): ResourceAttributes => ({
    type: 'resource',
    verb: 'impersonate',
    group: '',
    resource,
    subresource: '',
    name: '',
    namespace: '',
    ...more,
  });
  const group = 'authentication.k8s.io';
  return [
    account === undefined ? of('users', { name }) : of('serviceaccounts', account),
    ...groups.map((each) => of('groups', { name: each })),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => of('userextras', { group, subresource, name: value })),
    ),
    ...(uid === '' ? [] : [of('uids', { group, name: uid })]),
  ];
}

/** A service account gets its groups unless others are named; system:(un)authenticated is added. */
function withUsualGroups({ name, groups }: Wanted): readonly string[] {
  const account = accountOf(name);
  const own = groups.length === 0 && account !== undefined ? accountGroups(account.namespace) : groups;
  const anonymous = name === anonymousName;
  const decided = anonymous ? [unauthenticated] : [authenticated, unauthenticated];
  if (own.some((group) => decided.includes(group))) return own;
  return [...own, anonymous ? unauthenticated : authenticated];
}
