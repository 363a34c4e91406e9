import type { HttpsApi, Thing } from './https-api.ts';

/** An object of a kind, how kubectl calls the kind, and the header over its rows with `--output wide`. */
export type Sample = {
  readonly resource: string;
  readonly path: string;
  readonly header: string;
  readonly object: Thing;
};

export const sampleNamespace = 'harbour';

const labels = { app: 'sample' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] } };
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: labels };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'one-of-each' };
const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }];
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

type Row = readonly [resource: string, header: string, body: Readonly<Record<string, unknown>>];

const core: readonly Row[] = [
  ['configmaps', 'NAME DATA AGE', { data: { a: 'b' } }],
  [
    'endpoints',
    'NAME ENDPOINTS AGE',
    { subsets: [{ addresses: [{ ip: '192.0.2.3' }], ports: [{ port: 80 }] }] },
  ],
  [
    'events',
    'LAST SEEN TYPE REASON OBJECT SUBOBJECT SOURCE MESSAGE FIRST SEEN COUNT NAME',
    {
      involvedObject: { kind: 'Pod', name: 'one-of-each', namespace: sampleNamespace },
      type: 'Normal',
      reason: 'Seen',
      message: 'passing by',
    },
  ],
  ['limitranges', 'NAME CREATED AT', { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }],
  [
    'persistentvolumeclaims',
    'NAME STATUS VOLUME CAPACITY ACCESS MODES STORAGECLASS VOLUMEATTRIBUTESCLASS AGE VOLUMEMODE',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    'pods',
    'NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES',
    { metadata: { labels }, spec: template.spec },
  ],
  ['podtemplates', 'NAME CONTAINERS IMAGES POD LABELS', { template }],
  [
    'replicationcontrollers',
    'NAME DESIRED CURRENT READY AGE CONTAINERS IMAGES SELECTOR',
    { spec: { replicas: 0, selector: labels, template } },
  ],
  ['resourcequotas', 'NAME AGE REQUEST LIMIT', { spec: { hard: { pods: '10' } } }],
  ['secrets', 'NAME TYPE DATA AGE', { stringData: { a: 'b' } }],
  ['serviceaccounts', 'NAME SECRETS AGE', {}],
  [
    'services',
    'NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE SELECTOR',
    { spec: { selector: labels, ports: [{ port: 80 }] } },
  ],
];

const coreWide: readonly Row[] = [
  [
    'nodes',
    'NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME',
    {},
  ],
  [
    'persistentvolumes',
    'NAME CAPACITY ACCESS MODES RECLAIM POLICY STATUS CLAIM STORAGECLASS VOLUMEATTRIBUTESCLASS REASON AGE VOLUMEMODE',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/srv/one-of-each' },
      },
    },
  ],
];

const workloads: readonly Row[] = [
  ['controllerrevisions.apps', 'NAME CONTROLLER REVISION AGE', { revision: 1, data: { a: 1 } }],
  [
    'daemonsets.apps',
    'NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE CONTAINERS IMAGES SELECTOR',
    { spec: { selector, template } },
  ],
  [
    'deployments.apps',
    'NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR',
    { spec: { replicas: 0, selector, template } },
  ],
  [
    'replicasets.apps',
    'NAME DESIRED CURRENT READY AGE CONTAINERS IMAGES SELECTOR',
    { spec: { replicas: 0, selector, template } },
  ],
  [
    'statefulsets.apps',
    'NAME READY AGE CONTAINERS IMAGES',
    { spec: { replicas: 0, serviceName: 'one-of-each', selector, template } },
  ],
];

const batch: readonly Row[] = [
  [
    'cronjobs.batch',
    'NAME SCHEDULE TIMEZONE SUSPEND ACTIVE LAST SCHEDULE AGE CONTAINERS IMAGES SELECTOR',
    { spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: jobTemplate } } } },
  ],
  [
    'jobs.batch',
    'NAME STATUS COMPLETIONS DURATION AGE CONTAINERS IMAGES SELECTOR',
    { spec: { suspend: true, template: jobTemplate } },
  ],
];

const grouped: Readonly<Record<string, readonly Row[]>> = {
  'apps/v1': workloads,
  'batch/v1': batch,
  'autoscaling/v2': [
    [
      'horizontalpodautoscalers.autoscaling',
      'NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS AGE',
      {
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'one-of-each' },
        },
      },
    ],
  ],
  'coordination.k8s.io/v1': [
    ['leases.coordination.k8s.io', 'NAME HOLDER AGE', { spec: { holderIdentity: 'ada' } }],
  ],
  'discovery.k8s.io/v1': [
    [
      'endpointslices.discovery.k8s.io',
      'NAME ADDRESSTYPE PORTS ENDPOINTS AGE',
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.3'] }],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      },
    ],
  ],
  'networking.k8s.io/v1': [
    [
      'ingresses.networking.k8s.io',
      'NAME CLASS HOSTS ADDRESS PORTS AGE',
      { spec: { defaultBackend: { service: { name: 'one-of-each', port: { number: 80 } } } } },
    ],
    ['networkpolicies.networking.k8s.io', 'NAME POD-SELECTOR AGE', { spec: { podSelector: {} } }],
  ],
  'policy/v1': [
    [
      'poddisruptionbudgets.policy',
      'NAME MIN AVAILABLE MAX UNAVAILABLE ALLOWED DISRUPTIONS AGE',
      { spec: { minAvailable: 1, selector } },
    ],
  ],
  'rbac.authorization.k8s.io/v1': [
    [
      'rolebindings.rbac.authorization.k8s.io',
      'NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS',
      { roleRef, subjects },
    ],
    ['roles.rbac.authorization.k8s.io', 'NAME CREATED AT', { rules }],
  ],
};

const groupedWide: Readonly<Record<string, readonly Row[]>> = {
  'networking.k8s.io/v1': [
    [
      'ingressclasses.networking.k8s.io',
      'NAME CONTROLLER PARAMETERS AGE',
      { spec: { controller: 'example.com/c' } },
    ],
  ],
  'rbac.authorization.k8s.io/v1': [
    [
      'clusterrolebindings.rbac.authorization.k8s.io',
      'NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS',
      { roleRef, subjects },
    ],
    ['clusterroles.rbac.authorization.k8s.io', 'NAME CREATED AT', { rules }],
  ],
  'scheduling.k8s.io/v1': [
    ['priorityclasses.scheduling.k8s.io', 'NAME VALUE GLOBAL-DEFAULT AGE PREEMPTIONPOLICY', { value: 7 }],
  ],
  'storage.k8s.io/v1': [
    [
      'storageclasses.storage.k8s.io',
      'NAME PROVISIONER RECLAIMPOLICY VOLUMEBINDINGMODE ALLOWVOLUMEEXPANSION AGE',
      { provisioner: 'example.com/p' },
    ],
  ],
};

const within = `namespaces/${sampleNamespace}/`;

/** One object of every kind that can be listed, all called `one-of-each`. */
export const samples: readonly Sample[] = [
  ...core.map((row) => sample('/api/v1', 'v1', within, row)),
  ...coreWide.map((row) => sample('/api/v1', 'v1', '', row)),
  ...Object.entries(grouped).flatMap(([version, rows]) =>
    rows.map((row) => sample(`/apis/${version}`, version, within, row)),
  ),
  ...Object.entries(groupedWide).flatMap(([version, rows]) =>
    rows.map((row) => sample(`/apis/${version}`, version, '', row)),
  ),
];

function sample(base: string, apiVersion: string, scope: string, [resource, header, body]: Row): Sample {
  const metadata = { ...(body['metadata'] as object | undefined), name: 'one-of-each' };
  return {
    resource,
    path: `${base}/${scope}${resource.split('.')[0]}`,
    header,
    object: { apiVersion, ...body, metadata },
  };
}

export async function createSamples(api: HttpsApi): Promise<void> {
  await api.create('/api/v1/namespaces', { metadata: { name: sampleNamespace } });
  const accounts = `/api/v1/namespaces/${sampleNamespace}/serviceaccounts`;
  await api.seen(`${accounts}?watch=true`, ({ object }) => object.metadata?.name === 'default');
  for (const { path, object } of samples) await api.create(path, object);
}
