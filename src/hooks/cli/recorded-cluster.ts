import { isObject, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { Impersonate } from '#loop/control-deps.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { RecordedReply } from './fixture.ts';

/** A cluster that returns the recorded object for every request. */
export function recordedCluster(replies: readonly RecordedReply[]): Impersonate {
  let next = 0;
  const client: Pick<KubeClient, 'resourceOf' | 'get' | 'patch'> = {
    resourceOf: async () => ({
      type: 'ok',
      resource: { group: '', version: 'v1', plural: 'recorded', namespaced: true },
    }),
    async get() {
      const { status, body } = replies[Math.min(next, replies.length - 1)] ?? { status: 404, body: '' };
      next += 1;
      const object = objectIn(body);
      if (status === 404 || object === undefined)
        return refusal('not-found', 404, 'the fixture has no such object');
      return { type: 'ok', object };
    },
    patch: async () => refusal('forbidden', 403, 'a recorded object cannot be changed'),
  };
  return () => client as KubeClient;
}

const refusal = (type: 'not-found' | 'forbidden', code: number, message: string): Outcome => ({
  type,
  code,
  message,
  status: {},
});

function objectIn(body: string): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isObject(value) ? value : undefined;
  } catch {
    // It is not JSON.
    return undefined;
  }
}
