/** The authenticated user. */
export type User = {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
};

export const anonymousName = 'system:anonymous';
export const unauthenticated = 'system:unauthenticated';
export const authenticated = 'system:authenticated';
/** Members may do everything, whatever the roles say. */
export const masters = 'system:masters';

/** The user of requests without credentials. */
export const anonymous: User = { name: anonymousName, uid: '', groups: [unauthenticated], extra: {} };

const accountPrefix = 'system:serviceaccount:';

export const accountUserName = (namespace: string, name: string): string =>
  `${accountPrefix}${namespace}:${name}`;

export const accountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** The service account that a user's name speaks of. */
export function accountOf(userName: string): { namespace: string; name: string } | undefined {
  if (!userName.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(accountPrefix.length).split(':');
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
}
