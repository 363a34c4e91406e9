import type { KubeClient } from '#edge/kube/client.ts';
import type { ApiRequest } from '#kube/http.ts';
import { badRequest } from '#kube/status.ts';
import { accountGroups, accountOf, authenticated } from '#kube/user.ts';
import { mustImpersonate, type ImpersonatedPart } from './may-read.ts';
import type { LogReader } from './reader.ts';

type Asked = Pick<ApiRequest, 'headers' | 'headerValues' | 'signal'>;

const mostGroups = 64;

/** In whose name a request reads: the caller, or the user of its `Impersonate-…` headers if the caller may act as that one. */
export async function actingReader(
  client: Pick<KubeClient, 'create'>,
  caller: LogReader,
  request: Asked,
): Promise<LogReader> {
  const named = Object.keys(request.headers).filter((name) => name.startsWith('impersonate-'));
  if (named.length === 0) return caller;
  const other = named.find((name) => name !== 'impersonate-user' && name !== 'impersonate-group');
  if (other !== undefined) throw badRequest(`the header ${other} is not supported for logs`);
  const user = request.headers['impersonate-user'] ?? '';
  const groups = groupsOf(request);
  if (user === '')
    throw badRequest('groups are impersonated together with a user: send Impersonate-User too');
  if (groups.length > mostGroups) throw badRequest(`at most ${mostGroups} groups can be impersonated`);
  const reviewing = { client, signal: request.signal };
  for (const part of partsOf(user, groups)) await mustImpersonate(reviewing, caller, part);
  const account = accountOf(user);
  const own = groups.length === 0 && account !== undefined ? accountGroups(account.namespace) : groups;
  return { user, uid: '', groups: [...new Set([...own, authenticated])], extra: {} };
}

function groupsOf(request: Asked): readonly string[] {
  const name = 'impersonate-group';
  const value = request.headers[name];
  return request.headerValues?.(name) ?? (value === undefined ? [] : [value]);
}

function partsOf(user: string, groups: readonly string[]): readonly ImpersonatedPart[] {
  const account = accountOf(user);
  return [
    account === undefined ? { resource: 'users', name: user } : { resource: 'serviceaccounts', ...account },
    ...groups.map((name): ImpersonatedPart => ({ resource: 'groups', name })),
  ];
}
