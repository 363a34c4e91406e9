import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { disrupted, orphaned, unready } from './lost-pod.ts';
import { evictionTime, judgeNode, nodeGrace } from './node-lifecycle.ts';
import { nodeObject } from './node-object.ts';
import { hostIpOf, podCidrOf, usualShape } from './node-shape.ts';
import { readyConditions } from './node-status.ts';
import { PodAddresses } from './pod-addresses.ts';

const start = instant(1_790_000_000_000);
const node = nodeObject(
  { index: 0, name: 'node-1', hostIp: '10.0.0.1', podCidr: '10.128.0.0/24' },
  usualShape,
  start,
);
const at = (count: number): Instant => later(start, seconds(count));
const judge = (of: KubeObject, now: Instant): ReturnType<typeof judgeNode> =>
  judgeNode(of, start, nodeGrace, now);
const withSpec = (of: KubeObject, spec: JsonObject): KubeObject => ({
  ...of,
  spec: { ...(of['spec'] as JsonObject), ...spec },
});

test('a node with fresh heartbeats is unchanged until its timeout', () => {
  expect(judge(node, at(49))).toEqual({ status: undefined, taints: undefined, wakeAt: at(50) });
});

test('a silent node becomes unknown and is tainted; a second look changes nothing', () => {
  const { status, taints, wakeAt } = judge(node, at(50));
  const lines = listAt(status, 'conditions').map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}`,
  );
  expect(lines).toEqual([
    'MemoryPressure Unknown NodeStatusUnknown',
    'DiskPressure Unknown NodeStatusUnknown',
    'PIDPressure Unknown NodeStatusUnknown',
    'Ready Unknown NodeStatusUnknown',
  ]);
  expect(taints).toEqual([
    { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule', timeAdded: '2026-09-21T14:14:10Z' },
    { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-09-21T14:14:10Z' },
  ]);
  expect(wakeAt).toBeUndefined();
  const lost = withSpec({ ...node, status: status ?? {} }, { taints: taints ?? [] });
  expect(judge(lost, at(70))).toEqual({ status: undefined, taints: undefined, wakeAt: undefined });
});

test('taints of others stay, ours go with their cause', () => {
  const foreign = { key: 'own', effect: 'NoExecute' };
  const ours = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: 'x' };
  expect(judge(withSpec(node, { taints: [ours, foreign] }), at(1)).taints).toEqual([foreign]);
  expect(judge(withSpec(node, { unschedulable: true }), at(1)).taints).toEqual([
    { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: '2026-09-21T14:13:21Z' },
  ]);
});

test('a kubelet that comes back turns only what had turned', () => {
  const back = readyConditions(listAt(judge(node, at(50)).status, 'conditions'), at(90));
  expect(back.map((each) => textAt(each, 'lastTransitionTime'))).toEqual(
    Array.from({ length: 4 }, () => '2026-09-21T14:14:50Z'),
  );
  const later = readyConditions(back, at(400));
  expect(later.map((each) => textAt(each, 'lastTransitionTime'))).toEqual(
    back.map((each) => textAt(each, 'lastTransitionTime')),
  );
  expect(textAt(later[3], 'lastHeartbeatTime')).toBe('2026-09-21T14:20:00Z');
});

const unreachable = {
  key: 'node.kubernetes.io/unreachable',
  effect: 'NoExecute',
  timeAdded: '2026-09-21T14:13:20Z',
};
const tolerating = (more: JsonObject = {}): JsonObject => ({
  key: 'node.kubernetes.io/unreachable',
  operator: 'Exists',
  effect: 'NoExecute',
  ...more,
});

test.for([
  {
    name: 'at once when nothing tolerates it',
    taints: [unreachable],
    tolerations: [],
    scale: 1,
    expected: at(0),
  },
  {
    name: 'after the time it is tolerated',
    taints: [unreachable],
    tolerations: [tolerating({ tolerationSeconds: 300 })],
    scale: 1,
    expected: at(300),
  },
  {
    name: 'sooner on a faster clock',
    taints: [unreachable],
    tolerations: [tolerating({ tolerationSeconds: 300 })],
    scale: 0.1,
    expected: at(30),
  },
  {
    name: 'never when it is tolerated',
    taints: [unreachable],
    tolerations: [tolerating()],
    scale: 1,
    expected: undefined,
  },
  {
    name: 'from when it is seen, when the taint has no time',
    taints: [{ key: 'own', effect: 'NoExecute' }],
    tolerations: [{ key: 'own', operator: 'Exists', tolerationSeconds: 5 }],
    scale: 1,
    expected: at(15),
  },
  {
    name: 'not for a taint that only keeps others away',
    taints: [{ key: 'own', effect: 'NoSchedule' }],
    tolerations: [],
    scale: 1,
    expected: undefined,
  },
])('a pod leaves $name', ({ taints, tolerations, scale, expected }) => {
  const tainted = withSpec(node, { taints });
  expect(evictionTime({ spec: { tolerations } }, tainted, () => at(10), scale)).toBe(expected);
});

const ready = { type: 'Ready', status: 'True', lastTransitionTime: 'then' };
const pod: KubeObject = { status: { phase: 'Running', conditions: [{ type: 'X', status: 'True' }, ready] } };

test('pods of a lost node', () => {
  expect(unready(pod, 'now')).toEqual({
    phase: 'Running',
    conditions: [
      { type: 'X', status: 'True' },
      { type: 'Ready', status: 'False', lastTransitionTime: 'now' },
    ],
  });
  expect(unready({ ...pod, status: unready(pod, 'now') ?? {} }, 'later')).toBeUndefined();
  expect(listAt(disrupted(pod, 'R', 'm', 'now'), 'conditions')[2]).toMatchObject({
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'R',
  });
  expect(orphaned(pod, 'now')['phase']).toBe('Failed');
  expect(orphaned({ status: { phase: 'Succeeded' } }, 'now')['phase']).toBe('Succeeded');
});

test('addresses are given once, kept, and given again when free', () => {
  const addresses = new PodAddresses(podCidrOf(3));
  expect([addresses.give('a'), addresses.give('b'), addresses.give('a')]).toEqual([
    '10.128.3.2',
    '10.128.3.3',
    '10.128.3.2',
  ]);
  addresses.learn('c', '10.128.3.4');
  addresses.learn('stranger', '10.99.0.4');
  expect(addresses.give('d')).toBe('10.128.3.5');
  const rest = Array.from({ length: 260 }, (_, i) => addresses.give(`x${i}`)).filter((ip) => ip !== '');
  expect(new Set(rest).size).toBe(249);
  addresses.free('a');
  expect(addresses.give('y')).toBe('10.128.3.2');
});

test('thousands of nodes have addresses of their own', () => {
  const indexes = Array.from({ length: 5000 }, (_, i) => i);
  expect(new Set(indexes.map(podCidrOf)).size).toBe(5000);
  expect(new Set(indexes.map(hostIpOf)).size).toBe(5000);
  expect([hostIpOf(0), hostIpOf(249), hostIpOf(250)]).toEqual(['10.0.0.1', '10.0.0.250', '10.0.1.1']);
});
