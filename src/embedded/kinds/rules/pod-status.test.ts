import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { podGrace } from './pod-grace.ts';
import { qosClass } from './pod-qos.ts';
import { mirrorPodIp } from './pod-status.ts';
import { podRules } from './pod.ts';
import { container, created, livePod, meta, texts } from './testing/check.ts';

test('a new pod is pending, whatever its status', () => {
  const pod = created(podRules, { spec: { containers: [container] }, status: { phase: 'Running' } });
  expect(pod['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
});

test('a gated pod has a condition for it', () => {
  expect(livePod({ schedulingGates: [{ name: 'example.com/a' }] })['status']).toEqual({
    phase: 'Pending',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: meta['creationTimestamp'],
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ],
    qosClass: 'BestEffort',
  });
});

test('the main endpoint keeps the status, /status keeps the rest but labels and annotations', () => {
  const old = livePod();
  const given = {
    ...old,
    metadata: { ...meta, labels: { l: '1' }, ownerReferences: [] },
    spec: {},
    status: { phase: 'Running' },
  };
  expect(podRules.prepareUpdate?.(given, old)['status']).toBe(old['status']);
  expect(podRules.prepareStatusUpdate?.(given, old)).toEqual({
    ...old,
    metadata: { ...meta, labels: { l: '1' } },
    status: { phase: 'Running', qosClass: 'BestEffort' },
  });
});

const amounts = (requests: JsonObject, limits: JsonObject): JsonObject => ({
  ...container,
  resources: { requests, limits },
});
const both = { cpu: '1', memory: '1Gi' };

test.for<readonly [expected: string, containers: readonly JsonObject[]]>([
  ['BestEffort', [container]],
  ['BestEffort', [amounts({ cpu: '0' }, {})]],
  ['Guaranteed', [amounts(both, both)]],
  ['Guaranteed', [amounts({ cpu: '1000m', memory: '1024Mi' }, both)]],
  ['Burstable', [amounts({ cpu: '1' }, both)]],
  ['Burstable', [amounts(both, both), container]],
  ['Burstable', [amounts({ cpu: '1' }, {})]],
  ['BestEffort', [amounts({ 'ephemeral-storage': '1' }, {})]],
])('a pod is %s with %j', ([expected, containers]) => {
  expect(qosClass({ spec: { containers } })).toBe(expected);
});

test.for<
  readonly [seconds: number, what: string, spec: JsonObject, phase: string, asked: number | undefined]
>([
  [0, 'unscheduled', {}, 'Pending', 100],
  [0, 'done', { nodeName: 'n' }, 'Succeeded', 10],
  [0, 'failed', { nodeName: 'n' }, 'Failed', undefined],
  [25, 'running', { nodeName: 'n', terminationGracePeriodSeconds: 25 }, 'Running', undefined],
  [10, 'asked for less', { nodeName: 'n', terminationGracePeriodSeconds: 25 }, 'Running', 10],
  [0, 'forced', { nodeName: 'n', terminationGracePeriodSeconds: 25 }, 'Running', 0],
  [1, 'negative', { nodeName: 'n', terminationGracePeriodSeconds: -5 }, 'Running', undefined],
])('%d s when %s', ([seconds, , spec, phase, asked]) => {
  expect(podGrace({ spec, status: { phase } }, asked)).toBe(seconds);
});

test('the list of addresses follows the first address', () => {
  expect(mirrorPodIp({ podIP: '1.1.1.1' })).toEqual({ podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] });
  expect(mirrorPodIp({ podIP: '2.2.2.2', podIPs: [{ ip: '1.1.1.1' }] })['podIPs']).toEqual([
    { ip: '2.2.2.2' },
  ]);
  expect(mirrorPodIp({ podIPs: [{ ip: '1.1.1.1' }] })['podIP']).toBe('1.1.1.1');
  const same = { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }, { ip: '::1' }] };
  expect(mirrorPodIp(same)).toBe(same);
});

const ended = (name: string, exitCode: number): JsonObject => ({ name, state: { terminated: { exitCode } } });
const running = (name: string): JsonObject => ({ name, state: { running: {} } });

test.for<readonly [what: string, policy: string, exitCode: number, complaints: readonly string[]]>([
  ['always restarted', 'Always', 0, []],
  ['failed and retried', 'OnFailure', 1, []],
  [
    'done',
    'OnFailure',
    0,
    ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
  ],
  [
    'over',
    'Never',
    1,
    ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
  ],
])('a container that is %s', ([, policy, exitCode, complaints]) => {
  const spec = { restartPolicy: policy };
  const old = { spec, status: { containerStatuses: [ended('c', exitCode)] } };
  const now = { spec, status: { containerStatuses: [running('c')] } };
  expect(texts(podRules.validateStatusUpdate?.(now, old) ?? [])).toEqual(complaints);
});

test.for<readonly [status: JsonObject, complaint: string]>([
  [{ qosClass: 'Guaranteed' }, 'status.qosClass: Invalid value: "Guaranteed": field is immutable'],
  [
    { podIPs: [{ ip: 'x' }] },
    'status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    { conditions: [{ type: '' }] },
    'status.conditions[0].Type: Invalid value: "": name part must be non-empty',
  ],
])('status %j is refused', ([status, complaint]) => {
  const old = livePod();
  const now = { ...old, status: { ...(old['status'] as JsonObject), ...status } };
  expect(texts(podRules.validateStatusUpdate?.(now, old) ?? [])).toContain(complaint);
});

test.for([
  ['spec.nodeName', 'n1'],
  ['spec.restartPolicy', 'Always'],
  ['spec.schedulerName', 'default-scheduler'],
  ['spec.serviceAccountName', 'default'],
  ['spec.hostNetwork', 'false'],
  ['status.phase', 'Pending'],
  ['status.podIP', ''],
  ['status.podIPs', ''],
  ['status.nominatedNodeName', ''],
] as const)('pods are selected by %s', ([field, value]) => {
  expect(podRules.selectableFields[field]?.(livePod({ nodeName: 'n1' }))).toBe(value);
});
