import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { instant, parseTime } from '#base/time.ts';
import { builtinKinds } from '#embedded/kinds/builtin-kinds.ts';
import { scaleColumns } from './autoscaling.ts';
import type { Column } from './column.ts';
import { defaultColumns } from './default-columns.ts';
import { renderRow } from './render.ts';

const now = parseTime('2026-11-15T12:00:00Z') ?? instant(0);
const age = '3m2s';
const created = '2026-11-15T11:56:58Z';

type Case = {
  readonly kind: string;
  readonly what: string;
  readonly meta?: JsonObject;
  readonly given: JsonObject;
  readonly cells: readonly Json[];
};

const template = {
  template: {
    spec: {
      nodeSelector: { disk: 'ssd' },
      containers: [
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:1' },
      ],
    },
  },
};
const selector = {
  matchLabels: { app: 'x' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['b', 'a'] },
    { key: 'aged', operator: 'DoesNotExist' },
    { key: 'zone', operator: 'Exists' },
    { key: 'band', operator: 'NotIn', values: ['c'] },
  ],
};
const selected = '!aged,app=x,band notin (c),tier in (a,b),zone';
const port = (number: number, more: JsonObject = {}): JsonObject => ({
  port: number,
  protocol: 'TCP',
  ...more,
});
const ips = (...list: readonly string[]): readonly JsonObject[] => list.map((ip) => ({ ip }));

const core: readonly Case[] = [
  { kind: '/Namespace', what: 'active', given: { status: { phase: 'Active' } }, cells: ['x', 'Active', age] },
  {
    kind: '/ConfigMap',
    what: 'with data',
    given: { data: { a: '1' }, binaryData: { b: '' } },
    cells: ['x', 2, age],
  },
  { kind: '/ConfigMap', what: 'empty', given: {}, cells: ['x', 0, age] },
  {
    kind: '/Secret',
    what: 'opaque',
    given: { type: 'Opaque', data: { a: '' } },
    cells: ['x', 'Opaque', 1, age],
  },
  {
    kind: '/ServiceAccount',
    what: 'with secrets',
    given: { secrets: [{ name: 's' }] },
    cells: ['x', 1, age],
  },
  {
    kind: 'coordination.k8s.io/Lease',
    what: 'held',
    given: { spec: { holderIdentity: 'me' } },
    cells: ['x', 'me', age],
  },
  { kind: 'coordination.k8s.io/Lease', what: 'free', given: { spec: {} }, cells: ['x', '', age] },
  { kind: '/LimitRange', what: 'any', given: {}, cells: ['x', created] },
  { kind: 'apiextensions.k8s.io/CustomResourceDefinition', what: 'any', given: {}, cells: ['x', created] },
  { kind: 'rbac.authorization.k8s.io/Role', what: 'any', given: {}, cells: ['x', created] },
  { kind: 'rbac.authorization.k8s.io/ClusterRole', what: 'any', given: {}, cells: ['x', created] },
  {
    kind: '/PodTemplate',
    what: 'any',
    given: {
      template: {
        metadata: { labels: { b: '2', a: '1' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    },
    cells: ['x', 'c', 'i', 'a=1,b=2'],
  },
  {
    kind: '/Node',
    what: 'ready, with roles',
    meta: {
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/etcd': '',
        'kubernetes.io/role': 'etcd',
      },
    },
    given: {
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        nodeInfo: { kubeletVersion: 'v1.32.4', osImage: 'Linux' },
      },
    },
    cells: [
      'x',
      'Ready,SchedulingDisabled',
      'etcd,worker',
      age,
      'v1.32.4',
      '10.0.0.1',
      '<none>',
      'Linux',
      '<unknown>',
      '<unknown>',
    ],
  },
  {
    kind: '/Node',
    what: 'not ready',
    given: { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    cells: ['x', 'NotReady', '<none>', age, '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    kind: '/Node',
    what: 'that never reported',
    given: {},
    cells: ['x', 'Unknown', '<none>', age, '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
];

const eventTarget = { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{c}' };
const events: readonly Case[] = [
  {
    kind: '/Event',
    what: 'of the old recorder',
    given: {
      involvedObject: eventTarget,
      reason: 'Started',
      message: ' Started container c\n',
      type: 'Normal',
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: '2026-11-15T11:00:00Z',
      lastTimestamp: '2026-11-15T11:59:15Z',
      count: 3,
    },
    cells: [
      '45s',
      'Normal',
      'Started',
      'pod/p',
      'spec.containers{c}',
      'kubelet, n1',
      'Started container c',
      '60m',
      3,
      'x',
    ],
  },
  {
    kind: '/Event',
    what: 'of the new recorder',
    given: {
      involvedObject: { kind: 'Node' },
      type: 'Normal',
      eventTime: '2026-11-15T11:59:00.000000Z',
      firstTimestamp: null,
      lastTimestamp: null,
      source: {},
      reportingComponent: 'ctl',
      reportingInstance: '',
    },
    cells: ['60s', 'Normal', '', 'node', '', 'ctl', '', '60s', 1, 'x'],
  },
  {
    kind: '/Event',
    what: 'of a series',
    given: {
      involvedObject: eventTarget,
      eventTime: '2026-11-15T11:59:00.000000Z',
      series: { count: 7, lastObservedTime: '2026-11-15T11:59:50.000000Z' },
      reportingComponent: 'ctl',
      reportingInstance: 'i',
    },
    cells: ['10s', '', '', 'pod/p', 'spec.containers{c}', 'ctl, i', '', '60s', 7, 'x'],
  },
  {
    kind: 'events.k8s.io/Event',
    what: 'in the words of its own API',
    given: {
      regarding: eventTarget,
      note: 'hello',
      type: 'Warning',
      reason: 'Why',
      deprecatedSource: { component: 'kubelet' },
      deprecatedCount: 2,
      deprecatedFirstTimestamp: '2026-11-15T11:00:00Z',
      deprecatedLastTimestamp: '2026-11-15T11:59:15Z',
    },
    cells: ['45s', 'Warning', 'Why', 'pod/p', 'spec.containers{c}', 'kubelet', 'hello', '60m', 2, 'x'],
  },
  {
    kind: '/Event',
    what: 'without any time',
    given: {},
    cells: ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, 'x'],
  },
];

const service = (what: string, given: JsonObject, cells: readonly Json[]): Case => ({
  kind: '/Service',
  what,
  given,
  cells,
});
const networking: readonly Case[] = [
  service(
    'inside the cluster',
    { spec: { type: 'ClusterIP', clusterIPs: ['10.0.0.5'], ports: [port(80)], selector: { app: 'a' } } },
    ['x', 'ClusterIP', '10.0.0.5', '<none>', '80/TCP', age, 'app=a'],
  ),
  service(
    'on node ports',
    {
      spec: {
        type: 'NodePort',
        clusterIPs: ['10.0.0.5'],
        ports: [port(80, { nodePort: 30080 }), port(81, { protocol: 'UDP' })],
      },
    },
    ['x', 'NodePort', '10.0.0.5', '<none>', '80:30080/TCP,81/UDP', age, '<none>'],
  ),
  service('headless', { spec: { type: 'ClusterIP', clusterIP: 'None' } }, [
    'x',
    'ClusterIP',
    'None',
    '<none>',
    '<none>',
    age,
    '<none>',
  ]),
  service('outside', { spec: { type: 'ExternalName', externalName: 'ex.example.com' } }, [
    'x',
    'ExternalName',
    '<none>',
    'ex.example.com',
    '<none>',
    age,
    '<none>',
  ]),
  service('waiting for its load balancer', { spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.5'] } }, [
    'x',
    'LoadBalancer',
    '10.0.0.5',
    '<pending>',
    '<none>',
    age,
    '<none>',
  ]),
  service(
    'behind a load balancer and external addresses',
    {
      spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.5'], externalIPs: ['1.2.3.4'] },
      status: { loadBalancer: { ingress: [{ hostname: 'lb' }, { ip: '5.6.7.8' }, { ip: '5.6.7.8' }] } },
    },
    ['x', 'LoadBalancer', '10.0.0.5', '5.6.7.8,lb,1.2.3.4', '<none>', age, '<none>'],
  ),
  service('of no type', {}, ['x', '', '<none>', '<unknown>', '<none>', age, '<none>']),
  { kind: '/Endpoints', what: 'none', given: {}, cells: ['x', '<none>', age] },
  {
    kind: '/Endpoints',
    what: 'many',
    given: { subsets: [{ addresses: ips('10.0.0.1', 'fd00::1'), ports: [port(80), port(81)] }] },
    cells: ['x', '10.0.0.1:80,[fd00::1]:80,10.0.0.1:81 + 1 more...', age],
  },
  {
    kind: '/Endpoints',
    what: 'without ports',
    given: { subsets: [{ addresses: ips('10.0.0.1') }] },
    cells: ['x', '10.0.0.1', age],
  },
  {
    kind: 'discovery.k8s.io/EndpointSlice',
    what: 'with ports of every kind',
    given: {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'web' }, {}, { port: 81 }],
      endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }],
    },
    cells: ['x', 'IPv4', '80,web,* + 1 more...', '10.0.0.1,10.0.0.2', age],
  },
  {
    kind: 'discovery.k8s.io/EndpointSlice',
    what: 'empty',
    given: { addressType: 'IPv4', ports: [], endpoints: null },
    cells: ['x', 'IPv4', '<unset>', '<unset>', age],
  },
  {
    kind: 'networking.k8s.io/Ingress',
    what: 'of many hosts',
    given: {
      spec: {
        ingressClassName: 'nginx',
        rules: [{ host: 'a' }, { host: 'a' }, {}, { host: 'c' }, {}],
        tls: [{}],
      },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    },
    cells: ['x', 'nginx', 'a,a,c + 2 more...', '1.2.3.4', '80, 443', age],
  },
  {
    kind: 'networking.k8s.io/Ingress',
    what: 'of three hosts',
    given: { spec: { rules: [{ host: 'a' }, { host: 'a' }, { host: 'a' }] } },
    cells: ['x', '<none>', 'a,a,a', '', '80', age],
  },
  {
    kind: 'networking.k8s.io/Ingress',
    what: 'of any host',
    given: { spec: { rules: [{}] } },
    cells: ['x', '<none>', '*', '', '80', age],
  },
  {
    kind: 'networking.k8s.io/IngressClass',
    what: 'with parameters',
    given: { spec: { controller: 'c', parameters: { apiGroup: 'k.example.com', kind: 'K', name: 'n' } } },
    cells: ['x', 'c', 'K.k.example.com/n', age],
  },
  {
    kind: 'networking.k8s.io/IngressClass',
    what: 'without',
    given: { spec: { controller: 'c' } },
    cells: ['x', 'c', '<none>', age],
  },
  {
    kind: 'networking.k8s.io/NetworkPolicy',
    what: 'of some pods',
    given: { spec: { podSelector: selector } },
    cells: ['x', selected, age],
  },
  {
    kind: 'networking.k8s.io/NetworkPolicy',
    what: 'of all pods',
    given: { spec: { podSelector: {} } },
    cells: ['x', '<none>', age],
  },
];

const owner = (apiVersion: string, kind: string): JsonObject => ({
  ownerReferences: [{ kind: 'Other' }, { apiVersion, kind, name: 'web', controller: true }],
});
const workloads: readonly Case[] = [
  {
    kind: 'apps/Deployment',
    what: 'under way',
    given: {
      spec: { replicas: 3, selector, ...template },
      status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
    },
    cells: ['x', '2/3', 1, 2, age, 'a,b', 'a:1,b:1', selected],
  },
  {
    kind: 'apps/Deployment',
    what: 'at rest',
    given: { spec: { replicas: 0, selector: {} } },
    cells: ['x', '0/0', 0, 0, age, '', '', ''],
  },
  {
    kind: 'apps/ReplicaSet',
    what: 'any',
    given: { spec: { replicas: 3, selector, ...template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ['x', 3, 2, 1, age, 'a,b', 'a:1,b:1', selected],
  },
  {
    kind: '/ReplicationController',
    what: 'any',
    given: { spec: { replicas: 3, selector: { app: 'x' }, ...template }, status: { replicas: 2 } },
    cells: ['x', 3, 2, 0, age, 'a,b', 'a:1,b:1', 'app=x'],
  },
  {
    kind: 'apps/StatefulSet',
    what: 'any',
    given: { spec: { replicas: 3, ...template }, status: { readyReplicas: 1 } },
    cells: ['x', '1/3', age, 'a,b', 'a:1,b:1'],
  },
  {
    kind: 'apps/DaemonSet',
    what: 'any',
    given: {
      spec: { selector, ...template },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    cells: ['x', 5, 4, 3, 2, 1, 'disk=ssd', age, 'a,b', 'a:1,b:1', selected],
  },
  {
    kind: 'apps/ControllerRevision',
    what: 'of a set',
    meta: owner('apps/v1', 'StatefulSet'),
    given: { revision: 7 },
    cells: ['x', 'statefulset.apps/web', 7, age],
  },
  {
    kind: 'apps/ControllerRevision',
    what: 'of a core kind',
    meta: owner('v1', 'Pod'),
    given: { revision: 7 },
    cells: ['x', 'pod/web', 7, age],
  },
  {
    kind: 'apps/ControllerRevision',
    what: 'of nobody',
    given: { revision: 7 },
    cells: ['x', '<none>', 7, age],
  },
];

const job = (what: string, given: JsonObject, cells: readonly Json[], meta: JsonObject = {}): Case => ({
  kind: 'batch/Job',
  what,
  meta,
  given,
  cells: ['x', ...cells, '', '', '<none>'],
});
const condition = (type: string, status = 'True'): JsonObject => ({ type, status });
const batch: readonly Case[] = [
  job('that waits', {}, ['Running', '0/1', '', age]),
  job(
    'that runs',
    { spec: { completions: 3 }, status: { succeeded: 1, startTime: '2026-11-15T11:58:00Z' } },
    ['Running', '1/3', '2m', age],
  ),
  job(
    'that is done',
    {
      spec: { completions: 1 },
      status: {
        succeeded: 1,
        startTime: '2026-11-15T11:57:00Z',
        completionTime: '2026-11-15T11:57:05Z',
        conditions: [condition('Failed', 'False'), condition('Complete')],
      },
    },
    ['Complete', '1/1', '5s', age],
  ),
  job('that failed', { status: { conditions: [condition('Failed')] } }, ['Failed', '0/1', '', age]),
  job('that is suspended', { spec: { parallelism: 4 }, status: { conditions: [condition('Suspended')] } }, [
    'Suspended',
    '0/1 of 4',
    '',
    age,
  ]),
  job('that will fail', { status: { conditions: [condition('FailureTarget')] } }, [
    'FailureTarget',
    '0/1',
    '',
    age,
  ]),
  job('that goes away', {}, ['Terminating', '0/1', '', age], { deletionTimestamp: created }),
  {
    kind: 'batch/CronJob',
    what: 'that has run',
    given: {
      spec: { schedule: '* * * * *', timeZone: 'Etc/UTC', suspend: false, jobTemplate: { spec: template } },
      status: { active: [{}], lastScheduleTime: '2026-11-15T11:59:30Z' },
    },
    cells: ['x', '* * * * *', 'Etc/UTC', 'False', 1, '30s', age, 'a,b', 'a:1,b:1', '<none>'],
  },
  {
    kind: 'batch/CronJob',
    what: 'that is suspended',
    given: { spec: { schedule: '@daily', suspend: true } },
    cells: ['x', '@daily', '<none>', 'True', 0, '<none>', age, '', '', '<none>'],
  },
  {
    kind: 'batch/CronJob',
    what: 'as sent',
    given: {},
    cells: ['x', '', '<none>', '<unset>', 0, '<none>', age, '', '', '<none>'],
  },
];

const storage: readonly Case[] = [
  {
    kind: '/PersistentVolume',
    what: 'bound',
    given: {
      spec: {
        capacity: { storage: '1024Mi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'ns', name: 'c' },
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound' },
    },
    cells: ['x', '1Gi', 'RWO,RWX', 'Retain', 'Bound', 'ns/c', 'fast', '<unset>', '', age, 'Filesystem'],
  },
  {
    kind: '/PersistentVolume',
    what: 'going away, with an old annotation',
    meta: { deletionTimestamp: created, annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
    given: {
      spec: { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'], volumeAttributesClassName: 'gold' },
      status: { reason: 'why' },
    },
    cells: ['x', '0', 'ROX,RWOP', '', 'Terminating', '', 'old', 'gold', 'why', age, '<unset>'],
  },
  {
    kind: '/PersistentVolumeClaim',
    what: 'bound',
    given: {
      spec: { volumeName: 'v', storageClassName: 'fast', volumeMode: 'Block' },
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1.5Gi' } },
    },
    cells: ['x', 'Bound', 'v', '1536Mi', 'RWO', 'fast', '<unset>', age, 'Block'],
  },
  {
    kind: '/PersistentVolumeClaim',
    what: 'pending',
    given: {
      spec: { accessModes: ['ReadWriteOnce'] },
      status: { phase: 'Pending', capacity: { storage: '1Gi' } },
    },
    cells: ['x', 'Pending', '', '', '', '', '<unset>', age, '<unset>'],
  },
  {
    kind: 'storage.k8s.io/StorageClass',
    what: 'the default one',
    meta: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    given: {
      provisioner: 'p',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    },
    cells: ['x (default)', 'p', 'Retain', 'WaitForFirstConsumer', true, age],
  },
  {
    kind: 'storage.k8s.io/StorageClass',
    what: 'as sent',
    given: { provisioner: 'p' },
    cells: ['x', 'p', 'Delete', 'Immediate', false, age],
  },
  {
    kind: 'storage.k8s.io/VolumeAttachment',
    what: 'attached',
    given: {
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    },
    cells: ['x', 'a', 'v', 'n', true, age],
  },
  {
    kind: 'storage.k8s.io/CSINode',
    what: 'any',
    given: { spec: { drivers: [{}, {}] } },
    cells: ['x', 2, age],
  },
];

const policy: readonly Case[] = [
  {
    kind: 'policy/PodDisruptionBudget',
    what: 'by number',
    given: { spec: { minAvailable: 0 }, status: { disruptionsAllowed: 2 } },
    cells: ['x', '0', 'N/A', 2, age],
  },
  {
    kind: 'policy/PodDisruptionBudget',
    what: 'by share',
    given: { spec: { maxUnavailable: '25%' } },
    cells: ['x', 'N/A', '25%', 0, age],
  },
  {
    kind: 'scheduling.k8s.io/PriorityClass',
    what: 'any',
    given: { value: 1000, globalDefault: true, preemptionPolicy: 'Never' },
    cells: ['x', 1000, true, age, 'Never'],
  },
  {
    kind: '/ResourceQuota',
    what: 'partly used',
    given: {
      status: {
        hard: { pods: '10', 'requests.cpu': '2000m', 'limits.memory': '8Gi', 'limits.cpu': '4' },
        used: { pods: '3', 'requests.cpu': '0.5', 'limits.memory': '1024Mi' },
      },
    },
    cells: ['x', age, 'pods: 3/10, requests.cpu: 500m/2', 'limits.cpu: 0/4, limits.memory: 1Gi/8Gi'],
  },
  { kind: '/ResourceQuota', what: 'not yet counted', given: {}, cells: ['x', age, '', ''] },
];

const metric = (type: string, member: string, target: JsonObject, more: JsonObject = {}): JsonObject => ({
  type,
  [member]: { target, ...more },
});
const scaled = (what: string, metrics: readonly Json[], current: readonly Json[], targets: string): Case => ({
  kind: 'autoscaling/HorizontalPodAutoscaler',
  what,
  given: {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 5, metrics },
    status: { currentReplicas: 2, currentMetrics: current },
  },
  cells: ['x', 'Deployment/d', targets, '1', 5, 2, age],
});
const cpu = metric('Resource', 'resource', { averageUtilization: 50 }, { name: 'cpu' });
const autoscaling: readonly Case[] = [
  scaled('without metrics', [], [], '<none>'),
  scaled('not yet measured', [cpu], [], 'cpu: <unknown>/50%'),
  scaled('measured', [cpu], [{ resource: { current: { averageUtilization: 12 } } }], 'cpu: 12%/50%'),
  scaled(
    'by an average',
    [metric('Resource', 'resource', { averageValue: '1024Mi' }, { name: 'memory' })],
    [{ resource: { current: { averageValue: '512Mi' } } }],
    'memory: 512Mi/1Gi',
  ),
  scaled(
    'by many metrics',
    [cpu, metric('Pods', 'pods', { averageValue: '1000m' }), cpu],
    [],
    'cpu: <unknown>/50%, <unknown>/1 + 1 more...',
  ),
  scaled(
    'by an object',
    [metric('Object', 'object', { value: '10' })],
    [{ object: { current: { value: '3' } } }],
    '3/10',
  ),
  scaled(
    'by an external average',
    [metric('External', 'external', { averageValue: '10' })],
    [{ external: { current: { averageValue: '3' } } }],
    '3/10 (avg)',
  ),
  scaled(
    'by a container',
    [metric('ContainerResource', 'containerResource', {}, { name: 'cpu' })],
    [],
    'cpu: <unknown>/<auto>',
  ),
  scaled('by something new', [{ type: 'Moon' }], [], '<unknown type>'),
  {
    kind: 'autoscaling/HorizontalPodAutoscaler',
    what: 'of the first version',
    given: {
      spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
      status: { currentCPUUtilizationPercentage: 7 },
    },
    cells: ['x', '/', 'cpu: 7%/80%', '<unset>', 3, 0, age],
  },
  {
    kind: 'autoscaling/Scale',
    what: 'any',
    given: { spec: { replicas: 3 }, status: { replicas: 2 } },
    cells: ['x', 3, 2, age],
  },
];

const binding = (kind: string): Case => ({
  kind: `rbac.authorization.k8s.io/${kind}`,
  what: 'of all subjects',
  given: {
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [
      { kind: 'User', name: 'u1' },
      { kind: 'Group', name: 'g' },
      { kind: 'User', name: 'u2' },
      { kind: 'ServiceAccount', namespace: 'ns', name: 's' },
    ],
  },
  cells: ['x', 'ClusterRole/r', age, 'u1, u2', 'g', 'ns/s'],
});
const admission = 'admissionregistration.k8s.io';
const signing = 'certificates.k8s.io/CertificateSigningRequest';
const access: readonly Case[] = [
  { kind: signing, what: 'pending', given: {}, cells: ['x', age, '<none>', '', '<none>', 'Pending'] },
  {
    kind: signing,
    what: 'issued',
    given: {
      spec: { signerName: 's', username: 'u', expirationSeconds: 3600 },
      status: { conditions: [condition('Approved')], certificate: 'Zg==' },
    },
    cells: ['x', age, 's', 'u', '60m', 'Approved,Issued'],
  },
  {
    kind: signing,
    what: 'denied after all',
    given: { status: { conditions: [condition('Approved'), condition('Denied'), condition('Failed')] } },
    cells: ['x', age, '<none>', '', '<none>', 'Denied,Failed'],
  },
  { kind: 'node.k8s.io/RuntimeClass', what: 'any', given: { handler: 'h' }, cells: ['x', 'h', age] },
  binding('RoleBinding'),
  binding('ClusterRoleBinding'),
  {
    kind: `${admission}/MutatingWebhookConfiguration`,
    what: 'any',
    given: { webhooks: [{}] },
    cells: ['x', 1, age],
  },
  { kind: `${admission}/ValidatingWebhookConfiguration`, what: 'empty', given: {}, cells: ['x', 0, age] },
  {
    kind: `${admission}/ValidatingAdmissionPolicy`,
    what: 'with parameters',
    given: { spec: { validations: [{}], paramKind: { apiVersion: 'g/v1', kind: 'K' } } },
    cells: ['x', 1, 'g/v1/K', age],
  },
  {
    kind: `${admission}/ValidatingAdmissionPolicy`,
    what: 'without',
    given: {},
    cells: ['x', 0, '<unset>', age],
  },
  {
    kind: `${admission}/ValidatingAdmissionPolicyBinding`,
    what: 'by name',
    given: { spec: { policyName: 'p', paramRef: { name: 'n' } } },
    cells: ['x', 'p', '*/n', age],
  },
  {
    kind: `${admission}/ValidatingAdmissionPolicyBinding`,
    what: 'plain',
    given: { spec: { policyName: 'p' } },
    cells: ['x', 'p', '<unset>', age],
  },
];

const all = [core, events, networking, workloads, batch, storage, policy, autoscaling, access].flat();

const split = (kind: string): readonly [string, string] => {
  const [group = '', name = ''] = kind.split('/');
  return [group, name];
};

function columnsFor(group: string, kind: string): readonly Column[] {
  if (kind === 'Scale') return scaleColumns;
  const row = builtinKinds.find((each) => each.group === group && each.kind === kind);
  if (row === undefined) throw new Error(`no row for ${group}/${kind}`);
  return row.columns;
}

test.for(all)('$kind $what', ({ kind, meta = {}, given, cells }) => {
  const [group, name] = split(kind);
  const object = { ...given, kind: name, metadata: { name: 'x', creationTimestamp: created, ...meta } };
  expect(renderRow(columnsFor(group, name), object, now)).toEqual(cells);
});

const kinds = [...new Set([...all.map(({ kind }) => kind), '/Pod'])];

test.for(kinds)('%s prints any object of the wrong shape', (kind) => {
  const [group, name] = split(kind);
  const columns = columnsFor(group, name);
  const wild = fc.jsonValue({ maxDepth: 3 });
  const member = fc.constantFrom(
    'metadata',
    'spec',
    'status',
    'data',
    'subsets',
    'ports',
    'subjects',
    'series',
    'webhooks',
  );
  const inner = fc.constantFrom(
    'containers',
    'conditions',
    'containerStatuses',
    'metrics',
    'ports',
    'template',
    'hard',
    'selector',
  );
  const shape = fc.dictionary(member, fc.oneof(wild, fc.dictionary(inner, wild)));
  fc.assert(
    fc.property(shape, (object) => {
      expect(renderRow(columns, object as JsonObject, now)).toHaveLength(columns.length);
    }),
    { numRuns: 30 },
  );
});

test('a kind without columns of its own has those of the default table', () => {
  expect(columnsFor('', 'LimitRange')).toBe(defaultColumns);
  expect(columnsFor('rbac.authorization.k8s.io', 'Role')).toBe(defaultColumns);
});

test('the default table has the creation time of an object, in seconds and UTC', () => {
  const at = (creationTimestamp: Json): Json[] =>
    renderRow(defaultColumns, { metadata: { name: 'x', creationTimestamp } }, now);
  expect(at('2026-11-15T12:56:58+01:00')).toEqual(['x', created]);
  expect(at(null)).toEqual(['x', '0001-01-01T00:00:00Z']);
});
