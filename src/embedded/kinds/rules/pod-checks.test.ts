import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { podRules } from './pod.ts';
import { container, refusals } from './testing/check.ts';

const check = (spec: JsonObject): string[] =>
  refusals(podRules, { spec: { containers: [container], ...spec } });
const one = (given: JsonObject): string[] => check({ containers: [{ ...container, ...given }] });
const init = (given: JsonObject): string[] =>
  check({ initContainers: [{ name: 'i', image: 'i', ...given }] });
const volume = (given: JsonObject): string[] => check({ volumes: [{ name: 'v', ...given }] });

type Case = readonly [what: string, given: JsonObject, complaints: readonly string[]];

test.for<Case>([
  ['no containers', { containers: [] }, ['spec.containers: Required value']],
  [
    'the same name twice',
    { containers: [container, container] },
    ['spec.containers[1].name: Duplicate value: "c"'],
  ],
  [
    'an init container of the same name',
    { initContainers: [container] },
    ['spec.initContainers[0].name: Duplicate value: "c"'],
  ],
  [
    'restart policy',
    { restartPolicy: 'Sometimes' },
    ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
  ],
  [
    'DNS policy',
    { dnsPolicy: 'Nope' },
    [
      'spec.dnsPolicy: Unsupported value: "Nope": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
  ],
  [
    'deadline',
    { activeDeadlineSeconds: 0 },
    ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  ['hostname', { hostname: 'a.b' }, ['spec.hostname: Invalid value: "a.b": must not contain dots']],
  ['subdomain', { subdomain: 'a.b' }, ['spec.subdomain: Invalid value: "a.b": must not contain dots']],
  [
    'preemption policy',
    { preemptionPolicy: 'X' },
    ['spec.preemptionPolicy: Unsupported value: "X": supported values: "Never", "PreemptLowerPriority"'],
  ],
  [
    'host aliases',
    { hostAliases: [{ ip: 'x' }] },
    [
      'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ],
  [
    'ephemeral containers at creation',
    { ephemeralContainers: [{ name: 'e', image: 'e' }] },
    ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
  ],
  [
    'a node before the gates are open',
    { nodeName: 'n', schedulingGates: [{ name: 'example.com/g' }] },
    ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
  ],
  [
    'the same gate twice',
    { schedulingGates: [{ name: 'g' }, { name: 'g' }] },
    ['spec.schedulingGates[1]: Duplicate value: "g"'],
  ],
  [
    'host ports that differ in the network of the host',
    { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2 }] }] },
    [
      'spec.containers[0].ports[0].containerPort: Invalid value: 1: must match `hostPort` when `hostNetwork` is true',
    ],
  ],
  [
    'an empty readiness gate',
    { readinessGates: [{ conditionType: 'a/b/c' }] },
    [
      expect.stringMatching(
        /^spec\.readinessGates\[0\]\.conditionType: Invalid value: "a\/b\/c": a qualified name /,
      ) as string,
    ],
  ],
])('pod: %s', ([, given, complaints]) => {
  expect(check(given)).toEqual(complaints);
});

test.for(['nodeName', 'serviceAccountName', 'priorityClassName', 'runtimeClassName'])(
  'pod: %s is a subdomain',
  (key) => {
    const [complaint, ...more] = check({ [key]: 'Bad_Name' });
    expect(complaint).toMatch(`spec.${key}: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain`);
    expect(more).toEqual([]);
  },
);

test('pod: node selectors are labels', () => {
  expect(check({ nodeSelector: { 'bad key': 'x' } })).toEqual([
    expect.stringMatching(/^spec\.nodeSelector: Invalid value: "bad key": name part must consist of/),
  ]);
});

const toleration = (given: JsonObject): JsonObject => ({ tolerations: [given] });

test.for<Case>([
  [
    'no key',
    toleration({ operator: 'Equal' }),
    [
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  ],
  [
    'seconds without NoExecute',
    toleration({ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }),
    [
      'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
    ],
  ],
  [
    'Exists with a value',
    toleration({ key: 'a', operator: 'Exists', value: 'x' }),
    ['spec.tolerations[0].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\''],
  ],
  [
    'an unknown operator',
    toleration({ key: 'a', operator: 'Like' }),
    ['spec.tolerations[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"'],
  ],
  [
    'an unknown effect',
    toleration({ key: 'a', effect: 'X' }),
    [
      'spec.tolerations[0].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'spread constraints',
    { topologySpreadConstraints: [{ maxSkew: 0, whenUnsatisfiable: 'X' }] },
    [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    'required node affinity without terms',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
  ],
  [
    'preferred node affinity',
    {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
          ],
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
  [
    'pod anti-affinity without topology',
    { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } },
    [
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
    ],
  ],
])('scheduling: %s', ([, given, complaints]) => {
  expect(check(given)).toEqual(complaints);
});

const at = 'spec.containers[0]';

test.for<Case>([
  ['no image', { image: '' }, [`${at}.image: Required value`]],
  [
    'a padded image',
    { image: ' i' },
    [`${at}.image: Invalid value: " i": must not have leading or trailing whitespace`],
  ],
  ['no name', { name: '' }, [`${at}.name: Required value`]],
  ['a name with dots', { name: 'a.b' }, [`${at}.name: Invalid value: "a.b": must not contain dots`]],
  [
    'pull policy',
    { imagePullPolicy: 'Maybe' },
    [
      `${at}.imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"`,
    ],
  ],
  [
    'termination message policy',
    { terminationMessagePolicy: 'X' },
    [
      `${at}.terminationMessagePolicy: Unsupported value: "X": supported values: "FallbackToLogsOnError", "File"`,
    ],
  ],
  [
    'restart policy',
    { restartPolicy: 'Always' },
    [`${at}.restartPolicy: Forbidden: may not be set for non-init containers`],
  ],
  [
    'a port out of range',
    { ports: [{ containerPort: 70_000 }] },
    [`${at}.ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`],
  ],
  ['no port', { ports: [{}] }, [`${at}.ports[0].containerPort: Required value`]],
  [
    'a host port out of range',
    { ports: [{ containerPort: 1, hostPort: 70_000 }] },
    [`${at}.ports[0].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive`],
  ],
  [
    'the same host port twice',
    {
      ports: [
        { containerPort: 1, hostPort: 5 },
        { containerPort: 2, hostPort: 5 },
      ],
    },
    [`${at}.ports[1].hostPort: Duplicate value: "TCP//5"`],
  ],
  [
    'the same port name twice',
    {
      ports: [
        { containerPort: 1, name: 'a' },
        { containerPort: 2, name: 'a' },
      ],
    },
    [`${at}.ports[1].name: Duplicate value: "a"`],
  ],
  [
    'protocol',
    { ports: [{ containerPort: 1, protocol: 'X' }] },
    [`${at}.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"`],
  ],
  [
    'an unknown volume',
    { volumeMounts: [{ name: 'n', mountPath: '/x' }] },
    [`${at}.volumeMounts[0].name: Not found: "n"`],
  ],
  ['an empty variable', { env: [{ name: '' }] }, [`${at}.env[0].name: Required value`]],
  [
    'a variable with two values',
    { env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
    [`${at}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
  ],
  [
    'a variable from nowhere',
    { env: [{ name: 'A', valueFrom: {} }] },
    [
      `${at}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
    ],
  ],
  [
    'a variable from two places',
    {
      env: [
        {
          name: 'A',
          valueFrom: { secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } },
        },
      ],
    },
    [`${at}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time`],
  ],
  [
    'a variable from half a secret',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: {} } }] },
    [
      `${at}.env[0].valueFrom.secretKeyRef.name: Required value`,
      `${at}.env[0].valueFrom.secretKeyRef.key: Required value`,
    ],
  ],
  [
    'an unknown field',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.x' } } }] },
    [
      `${at}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x`,
    ],
  ],
  [
    'a field only files can show',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] },
    [
      `${at}.env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
    ],
  ],
  [
    'one label of many',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }] },
    [],
  ],
  [
    'variables from nowhere',
    { envFrom: [{}] },
    [`${at}.envFrom[0]: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``],
  ],
  [
    'a probe without handler',
    { livenessProbe: {} },
    [`${at}.livenessProbe: Required value: must specify a handler type`],
  ],
  [
    'a probe with two handlers',
    { livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } },
    [`${at}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`],
  ],
  [
    'a probe without command',
    { livenessProbe: { exec: {} } },
    [`${at}.livenessProbe.exec.command: Required value`],
  ],
  [
    'a probe of no port',
    { readinessProbe: { httpGet: { port: 0 } } },
    [`${at}.readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive`],
  ],
  [
    'a probe that succeeds twice',
    { livenessProbe: { exec: { command: ['x'] }, successThreshold: 2 } },
    [`${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1`],
  ],
  [
    'a negative probe',
    { readinessProbe: { exec: { command: ['x'] }, periodSeconds: -1 } },
    [`${at}.readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`],
  ],
  [
    'a readiness probe with a grace period',
    { readinessProbe: { exec: { command: ['x'] }, terminationGracePeriodSeconds: 1 } },
    [
      `${at}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes`,
    ],
  ],
  [
    'a hook without handler',
    { lifecycle: { preStop: {} } },
    [`${at}.lifecycle.preStop: Required value: must specify a handler type`],
  ],
  [
    'requests over limits',
    { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
    [`${at}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`],
  ],
  [
    'negative amounts',
    { resources: { limits: { cpu: '-1' } } },
    [
      `${at}.resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
      `${at}.resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
    ],
  ],
  [
    'an unknown resource',
    { resources: { requests: { cpux: '1' } } },
    [
      `${at}.resources.requests[cpux]: Invalid value: "cpux": must be a standard resource type or fully qualified`,
      `${at}.resources.requests[cpux]: Invalid value: "cpux": must be a standard resource for containers`,
    ],
  ],
  [
    'an extended resource without limit',
    { resources: { requests: { 'example.com/gpu': '1' } } },
    [`${at}.resources.limits: Required value: Limit must be set for non overcommitable resources`],
  ],
  [
    'half an extended resource',
    { resources: { limits: { 'example.com/gpu': '500m' }, requests: { 'example.com/gpu': '500m' } } },
    [
      `${at}.resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer`,
      `${at}.resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer`,
    ],
  ],
])('container: %s', ([, given, complaints]) => {
  expect(one(given)).toEqual(complaints);
});

test('container: mounts need a path of their own', () => {
  const volumes = [{ name: 'v', emptyDir: {} }];
  const mounts = (...list: JsonObject[]): string[] =>
    check({ volumes, containers: [{ ...container, volumeMounts: list }] });
  expect(mounts({ name: 'v', mountPath: '' })).toEqual([`${at}.volumeMounts[0].mountPath: Required value`]);
  expect(mounts({ name: 'v', mountPath: '/x' }, { name: 'v', mountPath: '/x' })).toEqual([
    `${at}.volumeMounts[1].mountPath: Invalid value: "/x": must be unique`,
  ]);
  expect(mounts({ name: 'v', mountPath: '/x', subPath: '../y' })).toEqual([
    `${at}.volumeMounts[0].subPath: Invalid value: "../y": must not contain '..'`,
  ]);
});

test.for<Case>([
  [
    'no probe',
    { livenessProbe: { exec: { command: ['x'] } } },
    [
      'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
  ],
  [
    'a sidecar may have a probe',
    { restartPolicy: 'Always', livenessProbe: { exec: { command: ['x'] } } },
    [],
  ],
  [
    'another restart policy',
    { restartPolicy: 'Never' },
    ['spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
])('init container: %s', ([, given, complaints]) => {
  expect(init(given)).toEqual(complaints);
});

test.for<Case>([
  [
    'two sources',
    { emptyDir: {}, hostPath: { path: '/' } },
    ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
  ],
  ['no source is an empty directory', {}, []],
  ['a host path without path', { hostPath: {} }, ['spec.volumes[0].hostPath.path: Required value']],
  ['a secret without name', { secret: {} }, ['spec.volumes[0].secret.secretName: Required value']],
  [
    'a mode beyond permissions',
    { secret: { secretName: 's', defaultMode: 512 } },
    [
      'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    ],
  ],
  [
    'a file outside',
    { configMap: { name: 'c', items: [{ key: 'k', path: '/x' }] } },
    ['spec.volumes[0].configMap.items[0].path: Invalid value: "/x": must be a relative path'],
  ],
  [
    'a claim without name',
    { persistentVolumeClaim: {} },
    ['spec.volumes[0].persistentVolumeClaim.claimName: Required value'],
  ],
  [
    'a short token',
    { projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 1 } }] } },
    [
      'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
    ],
  ],
  [
    'a file from nowhere',
    { downwardAPI: { items: [{ path: 'p' }] } },
    [
      'spec.volumes[0].downwardAPI.items[0]: Required value: one of fieldRef and resourceFieldRef is required',
    ],
  ],
  ['a bad name', { name: 'a.b' }, ['spec.volumes[0].name: Invalid value: "a.b": must not contain dots']],
])('volume: %s', ([, given, complaints]) => {
  expect(volume(given)).toEqual(complaints);
});

test('volume: names are unique, and a wrong volume cannot be mounted', () => {
  const wrong = check({
    volumes: [{ name: 'v', secret: {} }],
    containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/x' }] }],
  });
  expect(wrong).toEqual([
    'spec.volumes[0].secret.secretName: Required value',
    `${at}.volumeMounts[0].name: Not found: "v"`,
  ]);
  expect(check({ volumes: [{ name: 'v' }, { name: 'v' }] })).toEqual([
    'spec.volumes[1].name: Duplicate value: "v"',
  ]);
});
