import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { controlLogs, type ControlLogs } from '#cli/control-logs.ts';
import { kinds } from '#cli/kinds.ts';
import { controlNames } from '#cli/install/control-names.ts';
import { dialLogs } from '#command/logs/dial-logs.ts';
import { openLogClient, type LogClient } from '#command/logs/log-client.ts';
import { endpointMap, endpointsIn, type PublishedEndpoint } from '#command/logs/published-endpoint.ts';
import { days, type KeyPair } from '#edge/certificate-file.ts';
import { makePair } from '#edge/certificate-make.ts';
import { systemClock } from '#edge/clock.ts';
import type { UserAccess } from '#edge/kube/access.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import { Secret } from '#edge/secret.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { ScriptOutputs } from '#machines/cli/outputs/script-outputs.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { startServer, type TestServer } from './test-server.ts';

/** An API server with RBAC, and a log endpoint over real TLS beside it. */
export type LogWorld = AsyncDisposable & {
  readonly server: TestServer;
  readonly logs: ControlLogs;
  readonly outputs: ScriptOutputs;
  readonly client: KubeClient;
  readonly problems: readonly unknown[];
  readonly notes: readonly string[];
  /** What is published. */
  endpoint(): Promise<PublishedEndpoint>;
  /** A client certificate of the authority of the cluster. */
  certificate(subject: string): Promise<UserAccess>;
  /** Reads logs as a user of the cluster. */
  reader(user: UserAccess): LogClient;
  /** Begins an output of a script; returns how to add to it and how to end it. */
  output(text: string, place?: Partial<typeof usualPlace>): WrittenOutput;
};

export type WrittenOutput = { readonly path: string; add(text: string): void; end(): void };

export const usualPlace = {
  cluster: 'prod',
  operation: '20261116t000000z-cluster-create-a',
  node: '192.0.2.1',
  step: 'pre-install/hooks',
  attempt: 1,
};

export const tokenOf = (name: string): UserAccess => ({
  certificate: undefined,
  login: { type: 'token', token: new Secret(`token-of-${name}`) },
  impersonate: undefined,
});

/** Alice may do everything; Bob may read logs of Cluster prod; Carol may read Clusters, but no log. */
const tokens = ['alice', 'bob', 'carol'].map((name) => ({
  token: `token-of-${name}`,
  name,
  uid: `uid-${name}`,
  groups: name === 'alice' ? ['system:masters'] : [],
}));

export async function openLogWorld(): Promise<LogWorld> {
  const now = systemClock.now();
  const authority = await makePair({ subject: 'CN=test-ca', issuer: undefined, now, lifetime: days(1) });
  const server = await startServer({
    clock: systemClock,
    kinds,
    tokens,
    authorization: 'rbac',
    controllers: ['root-ca-cert-publisher'],
    rootCa: authority.certificate,
  });
  const folder = tempDir();
  const problems: unknown[] = [];
  const notes: string[] = [];
  const logs = controlLogs({
    dataDir: folder.path,
    at: { host: '127.0.0.1', port: 0 },
    names: new Set(controlNames),
    namespace: 'boathook-system',
    holder: 'controller-1',
    clock: systemClock,
    inform: (message) => notes.push(message),
    report: (problem) => problems.push(problem),
  });
  const transport = inProcessTransport(server.embedded.server.serve, {
    user: 'system:boathook-controller',
    groups: ['system:masters'],
  });
  const client = createClient({ transport, clock: systemClock, userAgent: 'test' });
  await grant(server);
  const outputs = await logs.outputs();
  return {
    server,
    logs,
    outputs,
    client,
    problems,
    notes,
    async endpoint() {
      for (;;) {
        const found = await server.send(
          'GET',
          `/api/v1/namespaces/boathook-system/configmaps/${endpointMap}`,
        );
        const [endpoint] = endpointsIn(found.body, clusters);
        if (endpoint !== undefined) return endpoint;
        if (problems.length > 0) throw problems[0];
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async certificate(subject) {
      const lifetime = days(1);
      const pair: KeyPair = await makePair({ subject, issuer: authority, now, lifetime });
      const certificate = { certificate: pair.certificate, key: new Secret(pair.key) };
      return { certificate, login: { type: 'none' }, impersonate: undefined };
    },
    reader: (user) => openLogClient({ client, namespace: 'boathook-system', dial: dialLogs({ user }) }),
    output(text, more = {}) {
      const place = { ...usualPlace, ...more };
      const path = outputs.begin(place);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return { path, add: (next) => appendFileSync(path, next), end: () => outputs.end(place) };
    },
    async [Symbol.asyncDispose]() {
      await logs.close();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

async function grant(server: TestServer): Promise<void> {
  const roles = {
    bob: [
      {
        apiGroups: ['platform.tkestack.io'],
        resources: ['clusters/log'],
        resourceNames: ['prod'],
        verbs: ['get'],
      },
    ],
    carol: [
      { apiGroups: ['platform.tkestack.io'], resources: ['clusters'], verbs: ['get', 'list', 'watch'] },
    ],
    proxy: [{ apiGroups: [''], resources: ['users'], resourceNames: ['bob'], verbs: ['impersonate'] }],
  };
  for (const [name, rules] of Object.entries(roles)) {
    const metadata = { name };
    await server.create(`/apis/${apiVersion}/clusterroles`, {
      apiVersion,
      kind: 'ClusterRole',
      metadata,
      rules,
    });
    await server.create(`/apis/${apiVersion}/clusterrolebindings`, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: [{ apiGroup: group, kind: 'User', name }],
    });
  }
}
