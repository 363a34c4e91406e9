import type { Json, JsonObject } from '#base/json.ts';
import { withoutUndefined } from '#releases/decide/defined.ts';

const tkex = 'tkex.tencent.com/v1alpha1';
const labels = (name: string): JsonObject => ({ app: name });

/** A GameDeployment whose release does what its steps say. */
export const shop = (name: string, steps: readonly JsonObject[], image = 'shop:1.0'): JsonObject => ({
  apiVersion: tkex,
  kind: 'GameDeployment',
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels(name) },
    template: {
      metadata: { labels: labels(name) },
      spec: { containers: [{ name: 'server', image }] },
    },
    updateStrategy: { type: 'InplaceIfPossible', canary: { steps: [...steps] } },
  },
});

/** A HookRun that asks a port on which nobody listens. */
export const failingRun = (
  name: string,
  more: Readonly<Record<string, Json | undefined>> = {},
): JsonObject => ({
  apiVersion: tkex,
  kind: 'HookRun',
  metadata: { name },
  spec: {
    metrics: [
      withoutUndefined({
        name: 'age',
        interval: '300ms',
        count: 100_000,
        consecutiveErrorLimit: 100_000,
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: 'http://127.0.0.1:1/age', jsonPath: '{$.age}' } },
        ...more,
      }),
    ],
  },
});

/** A Cluster on a machine that refuses connections. */
export const unreachableCluster: JsonObject = {
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Cluster',
  metadata: { name: 'nowhere' },
  spec: {
    type: 'Baremetal',
    version: '1.20.0',
    machines: [{ ip: '127.0.0.1', port: 1, username: 'root', password: 'cGFzc3dvcmQ=' }],
  },
};
