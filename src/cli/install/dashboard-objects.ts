import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { InstallPlace } from './install-place.ts';
import {
  labelsOfPart,
  networkPolicy,
  resourcesOf,
  restrictedContainer,
  restrictedPod,
  service,
} from './pod-parts.ts';

const name = 'boathook-dashboard';
const part = 'dashboard';
const labels = labelsOfPart(part);

/** The dashboard. Its ServiceAccount has no rights: users sign in with tokens of their own. */
export function dashboardObjects({ namespace, image }: InstallPlace): readonly KubeObject[] {
  const metadata = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        // Sessions are in the memory of one process.
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            securityContext: restrictedPod,
            containers: [dashboardContainer(image)],
          },
        },
      },
    },
    service(metadata, part, [{ name: 'http', port: 80, targetPort: 'http' }]),
    networkPolicy(metadata, part, ['http']),
  ];
}

const dashboardContainer = (image: string): JsonObject => ({
  name: part,
  image,
  args: ['dashboard', '--in-cluster', '--port=8080'],
  ports: [{ name: 'http', containerPort: 8080 }],
  readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 5 },
  resources: resourcesOf('50m', '128Mi', '512Mi'),
  securityContext: restrictedContainer,
});

/** Operations of a JSON patch on the Deployment that put a proxy in front of the dashboard, in the same pod. */
export const proxyInPod: readonly JsonObject[] = [
  { op: 'add', path: '/spec/template/spec/containers/0/args/-', value: '--trust-proxy-headers' },
  // It listens on loopback only, where the kubelet cannot reach it.
  { op: 'remove', path: '/spec/template/spec/containers/0/readinessProbe' },
  { op: 'replace', path: '/spec/template/spec/containers/0/ports/0/name', value: 'loopback' },
  {
    op: 'add',
    path: '/spec/template/spec/containers/-',
    value: {
      name: 'proxy',
      image: 'proxy',
      ports: [{ name: 'http', containerPort: 4180 }],
      readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 5 },
      resources: resourcesOf('50m', '64Mi', '128Mi'),
      securityContext: restrictedContainer,
    },
  },
];

/** The right to act as the users and groups of the dashboard, by name. */
export function proxyRoles({ namespace }: InstallPlace): readonly KubeObject[] {
  const users = `${name}-users`;
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: users },
      rules: [
        {
          apiGroups: [''],
          resources: ['users'],
          verbs: ['impersonate'],
          resourceNames: ['nobody@example.com'],
        },
        { apiGroups: [''], resources: ['groups'], verbs: ['impersonate'], resourceNames: ['nobody'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: users },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: users },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}
