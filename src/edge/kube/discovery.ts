import { at, listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Outcome, Refusal } from './outcome.ts';
import { versionPath, type Resource } from '#kube/resource.ts';

export type KindReference = { readonly apiVersion: string; readonly kind: string };
export type FoundResource = { readonly type: 'ok'; readonly resource: Resource };
export type FindResource = (kind: KindReference, signal: AbortSignal) => Promise<FoundResource | Refusal>;

/** Finds the resource of a kind. Results are cached; missing kinds are looked up again, since CRDs come and go. */
export function discovery(get: (path: string, signal: AbortSignal) => Promise<Outcome>): FindResource {
  const known = new Map<string, Resource>();
  return async ({ apiVersion, kind }, signal) => {
    const key = `${apiVersion} ${kind}`;
    const kept = known.get(key);
    if (kept !== undefined) return { type: 'ok', resource: kept };
    const slash = apiVersion.indexOf('/');
    const group = apiVersion.slice(0, Math.max(0, slash));
    const version = apiVersion.slice(slash + 1);
    const outcome = await get(versionPath(group, version), signal);
    if (outcome.type !== 'ok') return outcome;
    const resource = find(outcome.object, kind, { group, version });
    if (resource === undefined) return noSuchKind(apiVersion, kind);
    known.set(key, resource);
    return { type: 'ok', resource };
  };
}

function find(
  list: KubeObject,
  kind: string,
  where: { group: string; version: string },
): Resource | undefined {
  const found = listAt(list, 'resources').find(
    (each) => textAt(each, 'kind') === kind && textAt(each, 'name')?.includes('/') === false,
  );
  const plural = textAt(found, 'name');
  return plural === undefined
    ? undefined
    : { ...where, plural, namespaced: at(found, 'namespaced') === true };
}

const noSuchKind = (apiVersion: string, kind: string): Refusal => ({
  type: 'not-found',
  code: 404,
  message: `the server has no kind ${kind} in ${apiVersion}`,
  status: {},
});
