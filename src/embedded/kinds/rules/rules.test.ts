import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { builtinKinds } from '#embedded/kinds/builtin-kinds.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { created, refusals, template, texts, updateRefusals } from './testing/check.ts';

function rulesFor(group: string, kind: string): KindRules {
  const row = builtinKinds.find((each) => each.group === group && each.kind === kind);
  if (row === undefined) throw new Error(`no row for ${group}/${kind}`);
  return row.rules;
}

test('a kind without rules of its own is ordinary', () => {
  expect(kindRules({})).toEqual({
    generation: 'none',
    nameRule: 'subdomain',
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: false,
    hasStatus: false,
    metaOnUpdate: 'update',
    strictFinalizers: true,
    selectableFields: {},
  });
});

test.for([
  ['coordination.k8s.io', 'Lease'],
  ['policy', 'PodDisruptionBudget'],
  ['node.k8s.io', 'RuntimeClass'],
  ['admissionregistration.k8s.io', 'MutatingWebhookConfiguration'],
  ['storage.k8s.io', 'CSIDriver'],
] as const)('an update of %s/%s must name a resourceVersion', ([group, kind]) => {
  expect(rulesFor(group, kind).allowUnconditionalUpdate).toBe(false);
});

test.for([
  ['coordination.k8s.io', 'Lease'],
  ['', 'Event'],
  ['events.k8s.io', 'Event'],
  ['', 'Endpoints'],
  ['', 'Service'],
  ['', 'LimitRange'],
  ['node.k8s.io', 'RuntimeClass'],
  ['rbac.authorization.k8s.io', 'Role'],
  ['rbac.authorization.k8s.io', 'ClusterRole'],
  ['rbac.authorization.k8s.io', 'RoleBinding'],
  ['rbac.authorization.k8s.io', 'ClusterRoleBinding'],
] as const)('an update of a missing %s/%s creates it', ([group, kind]) => {
  expect(rulesFor(group, kind).allowCreateOnUpdate).toBe(true);
});

test.for([
  ['apps', 'Deployment', 'spec-and-annotations'],
  ['apps', 'StatefulSet', 'spec'],
  ['apps', 'DaemonSet', 'spec'],
  ['apps', 'ReplicaSet', 'spec'],
  ['batch', 'Job', 'spec'],
  ['batch', 'CronJob', 'spec'],
  ['policy', 'PodDisruptionBudget', 'spec'],
  ['networking.k8s.io', 'NetworkPolicy', 'spec'],
  ['networking.k8s.io', 'Ingress', 'spec'],
  ['scheduling.k8s.io', 'PriorityClass', 'fixed'],
  ['', 'ConfigMap', 'none'],
  ['', 'Service', 'none'],
  ['', 'Pod', 'none'],
] as const)('the generation of %s/%s follows its %s', ([group, kind, generation]) => {
  expect(rulesFor(group, kind).generation).toBe(generation);
});

type Defaults = readonly [id: string, object: JsonObject, expected: JsonObject];
const split = (id: string): readonly [string, string] => {
  const at = id.lastIndexOf('/');
  return [id.slice(0, at), id.slice(at + 1)];
};
const rules = (id: string): KindRules => rulesFor(...split(id));

test.for<Defaults>([
  [
    '/Endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
    { subsets: [{ ports: [{ port: 80, protocol: 'TCP' }] }] },
  ],
  [
    'discovery.k8s.io/EndpointSlice',
    { ports: [{ port: 80 }] },
    { ports: [{ name: '', port: 80, protocol: 'TCP' }] },
  ],
  [
    '/PersistentVolume',
    { spec: { hostPath: { path: '/x' } } },
    {
      metadata: { finalizers: ['kubernetes.io/pv-protection'] },
      spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', hostPath: { type: '' } },
      status: { phase: 'Pending' },
    },
  ],
  [
    '/LimitRange',
    { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1' } }] } },
    {
      spec: { limits: [{ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1' } }] },
    },
  ],
  ['/PodTemplate', { template: template() }, { template: { spec: { restartPolicy: 'Always' } } }],
  ['storage.k8s.io/StorageClass', {}, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
  ['scheduling.k8s.io/PriorityClass', { value: 1 }, { preemptionPolicy: 'PreemptLowerPriority' }],
  ['networking.k8s.io/NetworkPolicy', { spec: {} }, { spec: { podSelector: {}, policyTypes: ['Ingress'] } }],
  [
    'networking.k8s.io/NetworkPolicy',
    { spec: { egress: [{ ports: [{ port: 1 }] }] } },
    {
      spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ protocol: 'TCP' }] }] },
    },
  ],
  [
    'policy/PodDisruptionBudget',
    { spec: {} },
    {
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  ],
  [
    'autoscaling/HorizontalPodAutoscaler',
    { apiVersion: 'autoscaling/v2', spec: {} },
    {
      spec: {
        minReplicas: 1,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
        ],
      },
      status: { desiredReplicas: 0 },
    },
  ],
  [
    'autoscaling/HorizontalPodAutoscaler',
    { apiVersion: 'autoscaling/v1', spec: {} },
    {
      spec: { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    },
  ],
  ['rbac.authorization.k8s.io/Role', { rules: [] }, { rules: null }],
  [
    'rbac.authorization.k8s.io/RoleBinding',
    { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'User', name: 'u' }] },
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
  [
    'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    {
      webhooks: [{ rules: [{}], clientConfig: { service: { name: 's' } } }],
    },
    {
      webhooks: [
        {
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          timeoutSeconds: 10,
          reinvocationPolicy: 'Never',
          rules: [{ scope: '*' }],
          clientConfig: { service: { port: 443 } },
        },
      ],
    },
  ],
])('%s %j', ([id, object, expected]) => {
  expect(created(rules(id), object)).toMatchObject(expected);
});

type Refusal = readonly [id: string, object: JsonObject, complaints: readonly unknown[]];
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const backend = { service: { name: 's', port: { number: 80 } } };
const rule = (path: JsonObject): JsonObject => ({ spec: { rules: [{ http: { paths: [path] } }] } });

test.for<Refusal>([
  [
    '/Endpoints',
    { subsets: [{}] },
    ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ],
  [
    '/Endpoints',
    { subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] },
    [
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  ],
  [
    'discovery.k8s.io/EndpointSlice',
    { addressType: 'IPv4', endpoints: [{ addresses: ['x'] }, {}] },
    [
      'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IPv4 address',
      'endpoints[1].addresses: Required value: must contain at least 1 address',
    ],
  ],
  [
    'discovery.k8s.io/EndpointSlice',
    { addressType: 'X' },
    ['addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
  ['/Node', { spec: { taints: [{ key: 'a' }] } }, ['spec.taints[0].effect: Required value']],
  [
    '/Node',
    {
      spec: {
        taints: [
          { key: 'a', effect: 'NoExecute' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
    },
    ['spec.taints[1]: Duplicate value: {"key":"a","effect":"NoExecute"}'],
  ],
  [
    '/Event',
    { involvedObject: { namespace: 'other' } },
    ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  ],
  ['/Event', { involvedObject: { namespace: 'default' } }, []],
  [
    '/Event',
    { metadata: { namespace: 'x' }, involvedObject: {} },
    ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
  ],
  [
    'coordination.k8s.io/Lease',
    { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    [
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'apps/ControllerRevision',
    { revision: -1 },
    [
      'data: Required value: data is mandatory',
      'revision: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'policy/PodDisruptionBudget',
    { spec: { minAvailable: 1, maxUnavailable: '101%' } },
    [
      'spec: Invalid value: {"minAvailable":1,"maxUnavailable":"101%"}: minAvailable and maxUnavailable cannot be both set',
      'spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
    ],
  ],
  [
    'autoscaling/HorizontalPodAutoscaler',
    { spec: { minReplicas: 3, maxReplicas: 2, scaleTargetRef: { kind: 'D' } } },
    [
      'spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`',
      'spec.scaleTargetRef.name: Required value',
    ],
  ],
  [
    'scheduling.k8s.io/PriorityClass',
    { metadata: { name: 'system-x' } },
    ["metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only"],
  ],
  [
    'scheduling.k8s.io/PriorityClass',
    { value: 1_000_000_001 },
    ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ],
  [
    'storage.k8s.io/StorageClass',
    { reclaimPolicy: 'X' },
    [
      'provisioner: Required value',
      'reclaimPolicy: Unsupported value: "X": supported values: "Delete", "Retain"',
    ],
  ],
  ['/PersistentVolume', { spec: volume }, []],
  [
    '/PersistentVolume',
    { spec: { ...volume, capacity: {}, accessModes: [], nfs: { path: '/' } } },
    [
      'spec.accessModes: Required value',
      'spec.capacity: Required value',
      'spec.nfs: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  ['/LimitRange', { spec: { limits: [{}] } }, ['spec.limits[0].type: Required value']],
  [
    '/ResourceQuota',
    { spec: { hard: { pods: '-1' } } },
    ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'networking.k8s.io/Ingress',
    { spec: {} },
    ['spec: Invalid value: []: either `defaultBackend` or `rules` must be specified'],
  ],
  ['networking.k8s.io/Ingress', rule({ path: '/', pathType: 'Prefix', backend }), []],
  [
    'networking.k8s.io/Ingress',
    rule({ path: 'x', backend: {} }),
    [
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
      'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path',
      'spec.rules[0].http.paths[0].backend.service: Required value: must specify service backend',
    ],
  ],
  ['networking.k8s.io/IngressClass', { spec: {} }, ['spec.controller: Required value']],
  [
    'networking.k8s.io/NetworkPolicy',
    {
      spec: { policyTypes: ['X'], ingress: [{ ports: [{ port: 0 }], from: [{ ipBlock: { cidr: 'x' } }] }] },
    },
    [
      'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.policyTypes[0]: Unsupported value: "X": supported values: "Egress", "Ingress"',
    ],
  ],
  [
    'rbac.authorization.k8s.io/Role',
    { rules: [{}] },
    [
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ],
  ],
  [
    'rbac.authorization.k8s.io/Role',
    { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] },
    ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
  ],
  ['rbac.authorization.k8s.io/ClusterRole', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, []],
  [
    'rbac.authorization.k8s.io/ClusterRoleBinding',
    { roleRef },
    ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
  ],
  [
    'rbac.authorization.k8s.io/RoleBinding',
    {
      roleRef,
      subjects: [
        { kind: 'ServiceAccount', name: 'a' },
        { kind: 'X', name: 'b' },
      ],
    },
    [
      'subjects[0].namespace: Required value',
      'subjects[1].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
    ],
  ],
])('%s %j', ([id, object, complaints]) => {
  expect(refusals(rules(id), object)).toEqual(complaints);
});

type Update = readonly [id: string, old: JsonObject, change: JsonObject, complaints: readonly unknown[]];

test.for<Update>([
  [
    'apps/ControllerRevision',
    { data: { a: 1 } },
    { data: { a: 2 } },
    ['data: Invalid value: {"a":2}: field is immutable'],
  ],
  [
    'scheduling.k8s.io/PriorityClass',
    { value: 1 },
    { value: 2 },
    ['value: Forbidden: may not be changed in an update.'],
  ],
  [
    'storage.k8s.io/StorageClass',
    { provisioner: 'a.b/c' },
    { parameters: { x: 'y' }, volumeBindingMode: 'WaitForFirstConsumer' },
    [
      'parameters: Forbidden: updates to parameters are forbidden.',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ],
  ],
  [
    'networking.k8s.io/IngressClass',
    { spec: { controller: 'a' } },
    { spec: { controller: 'b' } },
    ['spec.controller: Invalid value: "b": field is immutable'],
  ],
  [
    'rbac.authorization.k8s.io/RoleBinding',
    { roleRef },
    { roleRef: { ...roleRef, name: 's' } },
    [expect.stringMatching(/^roleRef: Invalid value: .*: cannot change roleRef$/)],
  ],
  [
    'discovery.k8s.io/EndpointSlice',
    { addressType: 'IPv4' },
    { addressType: 'IPv6' },
    ['addressType: Invalid value: "IPv6": field is immutable'],
  ],
  [
    '/PersistentVolume',
    { spec: volume },
    { spec: { ...volume, hostPath: { path: '/y' } } },
    [
      expect.stringMatching(
        /^spec\.persistentvolumesource: Forbidden: spec\.persistentvolumesource is immutable after creation\n/,
      ),
    ],
  ],
  [
    '/Node',
    { spec: { podCIDR: '10.0.0.0/24', providerID: 'a' } },
    { spec: { podCIDR: '10.0.1.0/24', providerID: 'b' } },
    [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ],
  ],
])('immutable: %s %j', ([id, old, change, complaints]) => {
  const stored = created(rules(id), old);
  expect(updateRefusals(rules(id), { ...stored, ...change }, stored)).toEqual(complaints);
});

test('a node brings its status when it registers, and only then', () => {
  const node = { spec: {}, status: { phase: 'x' } };
  const made = created(rulesFor('', 'Node'), node);
  expect(made['status']).toEqual(node.status);
  expect(rulesFor('', 'Node').prepareUpdate?.({ ...made, status: {} }, made)['status']).toEqual(node.status);
  expect(
    rulesFor('', 'Node').prepareStatusUpdate?.({ spec: { podCIDR: 'x' }, status: {} }, made)['spec'],
  ).toEqual({});
  const twice = {
    status: {
      addresses: [
        { type: 'a', address: 'b' },
        { type: 'a', address: 'b' },
      ],
    },
  };
  expect(texts(rulesFor('', 'Node').validateStatusUpdate?.(twice, made) ?? [])).toEqual([
    'status.addresses[1]: Duplicate value: {"type":"a","address":"b"}',
  ]);
});

test.for([
  ['', 'Node', 'spec.unschedulable', { spec: { unschedulable: true } }, 'true'],
  ['', 'Event', 'involvedObject.name', { involvedObject: { name: 'p' } }, 'p'],
  ['events.k8s.io', 'Event', 'regarding.name', { involvedObject: { name: 'p' } }, 'p'],
  ['', 'Event', 'source', { source: { component: 'kubelet' } }, 'kubelet'],
  ['', 'Event', 'source', { source: {}, reportingComponent: 'r' }, 'r'],
  ['batch', 'Job', 'status.successful', { status: { succeeded: 2 } }, '2'],
  ['', 'ReplicationController', 'status.replicas', {}, '0'],
] as const)('%s/%s is selected by %s', ([group, kind, field, object, value]) => {
  expect(rulesFor(group, kind).selectableFields[field]?.(object)).toBe(value);
});
