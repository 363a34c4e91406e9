import { isObject, listAt, textAt, type JsonObject } from '#base/json.ts';
import type { SendPlain } from './own-objects.ts';

/** A resource that the server serves. */
export type Discovered = {
  /** `/api/v1`, `/apis/GROUP/VERSION`. */
  readonly base: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
};

/** Every resource with objects, in the preferred version of its group. */
export async function discover(send: SendPlain): Promise<readonly Discovered[]> {
  const { body } = await send('GET', '/apis');
  const groups = listAt(body, 'groups').map(
    (group) => `/apis/${textAt(group, 'preferredVersion', 'groupVersion')}`,
  );
  const found = await Promise.all(['/api/v1', ...groups].map((base) => resourcesOf(send, base)));
  return found.flat();
}

async function resourcesOf(send: SendPlain, base: string): Promise<readonly Discovered[]> {
  const { status, body } = await send('GET', base);
  if (status !== 200) return [];
  return listAt(body, 'resources')
    .filter((each): each is JsonObject => isObject(each) && !(textAt(each, 'name') ?? '/').includes('/'))
    .map((each) => ({
      base,
      plural: textAt(each, 'name') ?? '',
      isNamespaced: each['namespaced'] === true,
      verbs: listAt(each, 'verbs').map(String),
    }))
    .filter(({ verbs }) => verbs.includes('list'));
}
