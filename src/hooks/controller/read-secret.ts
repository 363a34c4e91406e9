import { textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { reasonOf } from '#loop/report.ts';
import { secretRefusal } from '#loop/secret-refusal.ts';
import { fromBase64 } from '#base/base64.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';

const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', namespaced: true };

/** Reads keys of Secrets, without a cache: a rotated Secret takes effect at once. */
export function secretReader(client: Pick<KubeClient, 'get'>): ReadSecret {
  return async ({ namespace, name, key }, signal) => {
    const source = `key ${key} of Secret ${namespace}/${name}`;
    try {
      const outcome = await client.get(secrets, { namespace, name }, signal);
      if (outcome.type !== 'ok')
        return { type: 'missing', message: `${source}: ${secretRefusal(outcome, namespace)}` };
      const value = textAt(outcome.object, 'data', key);
      if (value === undefined) return { type: 'missing', message: `${source}: there is no such key` };
      return { type: 'found', value: fromBase64(value) };
    } catch (error) {
      signal.throwIfAborted();
      return { type: 'missing', message: `${source}: ${reasonOf(error)}` };
    }
  };
}
