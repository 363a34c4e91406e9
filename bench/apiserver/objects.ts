import type { JsonObject } from '#base/json.ts';
import type { Ask } from './connection.ts';

const namespace = 'bench';
const inNamespace = `/api/v1/namespaces/${namespace}`;
export const configMapsPath = `${inNamespace}/configmaps`;
export const podsPath = `${inNamespace}/pods`;

export const createNamespace: Ask = {
  method: 'POST',
  path: '/api/v1/namespaces',
  body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
};

/** Pods need it, and where no controller makes it nobody else does. */
export const createServiceAccount: Ask = {
  method: 'POST',
  path: `${inNamespace}/serviceaccounts`,
  body: JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }),
};

const filling = 'x'.repeat(1024);

/** A ConfigMap with 1 KiB of data. */
export function createConfigMap(name: string): Ask {
  const body = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { filling },
  });
  return { method: 'POST', path: configMapsPath, body };
}

/** The same by server-side apply: one that is not there is created. */
export function applyConfigMap(name: string, more: Readonly<Record<string, string>> = {}): Ask {
  const body = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { filling, ...more },
  });
  const path = `${configMapsPath}/${name}?fieldManager=bench`;
  return { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body };
}

/** One pod in a hundred has a given slot. */
const slots = 100;

/** A pod as a deployment makes them; the server stores some 3.7 KB of it. */
export function createPod(number: number): Ask {
  const name = `shop-${(number % 40).toString().padStart(2, '0')}-7d9c5b6f4d-${number.toString().padStart(5, '0')}`;
  return { method: 'POST', path: podsPath, body: JSON.stringify(pod(name, number)) };
}

export function pod(name: string, number: number): JsonObject {
  const app = `shop-${number % 40}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: {
        app,
        slot: String(number % slots),
        tier: number % 2 === 0 ? 'front' : 'back',
        'pod-template-hash': '7d9c5b6f4d',
      },
      annotations: { 'example.com/revision': '17', 'example.com/owner': 'team-checkout' },
    },
    spec: podSpec(app, number, ['server']),
  };
}

/** With a container of each of these names. */
export function podSpec(app: string, number: number, containers: readonly string[]): JsonObject {
  return {
    containers: containers.map((name) => ({ name, ...container(app, number) })),
    volumes: [
      { name: 'settings', configMap: { name: `${app}-settings` } },
      { name: 'scratch', emptyDir: {} },
    ],
    securityContext: { runAsNonRoot: true, fsGroup: 1000 },
    terminationGracePeriodSeconds: 30,
  };
}

function container(app: string, number: number): JsonObject {
  return {
    image: `registry.example.com/shop/${app}:1.${number % 7}.0`,
    args: ['--listen=:8080', '--log=json'],
    ports: [{ name: 'http', containerPort: 8080 }],
    env: [
      { name: 'STAGE', value: 'production' },
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: `${app}-database`, key: 'password' } } },
    ],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    volumeMounts: [
      { name: 'settings', mountPath: '/etc/shop', readOnly: true },
      { name: 'scratch', mountPath: '/tmp' },
    ],
  };
}
