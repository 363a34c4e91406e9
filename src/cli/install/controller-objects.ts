import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { controllerGroups, type ControllerGroup, type ControlName } from './control-names.ts';
import type { InstallPlace } from './install-place.ts';
import {
  labelsOfPart,
  networkPolicy,
  resourcesOf,
  restrictedContainer,
  restrictedPod,
  service,
} from './pod-parts.ts';

const part = 'controller';
const labels = labelsOfPart(part);

/** The flag that adds the chosen controllers of a group. */
export function controllersFlag(group: ControllerGroup, names: ReadonlySet<ControlName>): readonly string[] {
  const chosen = controllerGroups[group].filter((name) => names.has(name));
  return chosen.length === 0 ? [] : [`--controllers=${chosen.join(',')}`];
}

/** The Deployment of the controllers, and what belongs to it. */
export function controllerObjects(
  place: InstallPlace,
  names: ReadonlySet<ControlName>,
): readonly KubeObject[] {
  const metadata = (name: string): JsonObject & { readonly name: string } => ({
    name,
    namespace: place.namespace,
    labels,
  });
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata(place.serviceAccount),
      spec: {
        replicas: place.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec(place, names) },
      },
    },
    service(metadata('boathook-metrics'), part, [{ name: 'metrics', port: 9090, targetPort: 'metrics' }]),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: metadata(place.serviceAccount),
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
    networkPolicy(metadata(place.serviceAccount), part, ['metrics', 'logs']),
  ];
}

const ofPod = (name: string, fieldPath: string): JsonObject => ({
  name,
  valueFrom: { fieldRef: { fieldPath } },
});

function podSpec(place: InstallPlace, names: ReadonlySet<ControlName>): JsonObject {
  const { namespaces, shards } = place;
  return {
    serviceAccountName: place.serviceAccount,
    securityContext: restrictedPod,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    containers: [
      {
        name: part,
        image: place.image,
        args: [
          'controller',
          '--lease-namespace=$(POD_NAMESPACE)',
          '--metrics-address=0.0.0.0:9090',
          '--log-address=$(POD_IP):7444',
          '--data-dir=/data',
          ...(namespaces === undefined ? [] : [`--namespaces=${namespaces.join(',')}`]),
          ...(shards === undefined ? [] : [`--shards=${shards}`]),
          ...controllersFlag('base', names),
        ],
        env: [ofPod('POD_NAMESPACE', 'metadata.namespace'), ofPod('POD_IP', 'status.podIP')],
        ports: [
          { name: 'metrics', containerPort: 9090 },
          { name: 'logs', containerPort: 7444 },
        ],
        livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' }, periodSeconds: 5 },
        resources: resourcesOf('100m', '256Mi', '1Gi'),
        securityContext: restrictedContainer,
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  };
}
