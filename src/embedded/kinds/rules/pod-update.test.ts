import { expect, test } from 'vitest';
import { specOf } from '#base/json-edit.ts';
import type { JsonObject } from '#base/json.ts';
import { ephemeralContainerRules, podRules } from './pod.ts';
import { container, livePod, updateRefusals } from './testing/check.ts';

const gates = [{ name: 'example.com/a' }, { name: 'example.com/b' }];
const old = livePod({
  activeDeadlineSeconds: 50,
  tolerations: [{ key: 'a', operator: 'Exists' }],
  initContainers: [{ name: 'i', image: 'i:1' }],
});
const gated = livePod({ schedulingGates: gates, nodeSelector: { a: 'b' } });
const tolerations = specOf(old)['tolerations'] as readonly JsonObject[];

const patient = (toleration: JsonObject): JsonObject =>
  toleration['effect'] === 'NoExecute' ? { ...toleration, tolerationSeconds: 7 } : toleration;

const change = (spec: JsonObject, from = old): string[] =>
  updateRefusals(podRules, { ...from, spec: { ...specOf(from), ...spec } }, from);
const first = (from: JsonObject, key: string): JsonObject =>
  (specOf(from)[key] as readonly JsonObject[])[0] ?? {};

const window =
  /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds` \(allow it to be set to 1 if it was previously negative\)\n/;

test.for<readonly [what: string, spec: JsonObject]>([
  ['an image', { containers: [{ ...first(old, 'containers'), image: 'img:2' }] }],
  ['an init image', { initContainers: [{ ...first(old, 'initContainers'), image: 'i:2' }] }],
  ['a shorter deadline', { activeDeadlineSeconds: 40 }],
  ['one more toleration', { tolerations: [...tolerations, { key: 'b', operator: 'Exists' }] }],
  ['how long a toleration holds', { tolerations: tolerations.map(patient) }],
])('may change: %s', ([, spec]) => {
  expect(change(spec)).toEqual([]);
});

test.for<readonly [what: string, spec: JsonObject]>([
  ['the node', { nodeName: 'n1' }],
  ['the restart policy', { restartPolicy: 'Never' }],
  ['the node selector', { nodeSelector: { z: 'y' } }],
  ['a variable', { containers: [{ ...first(old, 'containers'), env: [{ name: 'A', value: 'b' }] }] }],
  ['resources', { containers: [{ ...first(old, 'containers'), resources: { limits: { cpu: '1' } } }] }],
  ['the grace period', { terminationGracePeriodSeconds: 5 }],
  ['ephemeral containers', { ephemeralContainers: [{ name: 'y', image: 'x' }] }],
])('may not change: %s', ([, spec]) => {
  expect(change(spec)).toEqual([expect.stringMatching(window)]);
});

test('the refusal names the difference', () => {
  expect(change({ restartPolicy: 'Never' })[0]).toMatch(/\n {2}restartPolicy: "Always" -> "Never"$/);
});

test.for<readonly [what: string, spec: JsonObject, complaints: readonly string[]]>([
  [
    'a longer deadline',
    { activeDeadlineSeconds: 80 },
    ['spec.activeDeadlineSeconds: Invalid value: 80: must be less than or equal to previous value'],
  ],
  [
    'a missing toleration',
    { tolerations: tolerations.slice(1) },
    ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  ],
  [
    'an empty image, which both checks see',
    { containers: [{ ...first(old, 'containers'), image: '' }] },
    ['spec.containers[0].image: Required value', 'spec.containers[0].image: Required value'],
  ],
  [
    'another container',
    { containers: [first(old, 'containers'), { ...first(old, 'containers'), name: 'd' }] },
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  ],
  [
    'a gate',
    { schedulingGates: [{ name: 'example.com/new' }] },
    [
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/new'",
    ],
  ],
])('refused with its own words: %s', ([, spec, complaints]) => {
  expect(change(spec)).toEqual(complaints);
});

test('no deadline after there was one', () => {
  const { activeDeadlineSeconds: _gone, ...spec } = specOf(old);
  expect(updateRefusals(podRules, { ...old, spec }, old)).toEqual([
    'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value',
  ]);
});

test('a negative grace period may become 1', () => {
  const odd = { ...old, spec: { ...specOf(old), terminationGracePeriodSeconds: -1 } };
  expect(change({ terminationGracePeriodSeconds: 1 }, odd)).toEqual([]);
  expect(change({ terminationGracePeriodSeconds: 2 }, odd)).toEqual([expect.stringMatching(window)]);
});

test('while gated, gates go and node selectors grow', () => {
  expect(change({ schedulingGates: gates.slice(1) }, gated)).toEqual([]);
  expect(change({ nodeSelector: { a: 'b', x: 'y' } }, gated)).toEqual([]);
  expect(change({ nodeSelector: { x: 'y' } }, gated)).toEqual([
    'spec.nodeSelector: Invalid value: {"x":"y"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
  ]);
});

const affinity = (...expressions: readonly string[]): JsonObject => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: expressions.map((key) => ({ key, operator: 'Exists' })) }],
      },
    },
  },
});

test('while gated, node affinity grows', () => {
  expect(change(affinity('a'), gated)).toEqual([]);
  const placed = livePod({ schedulingGates: gates, ...affinity('a') });
  expect(change(affinity('a', 'b'), placed)).toEqual([]);
  expect(change(affinity('b'), placed)).toEqual([
    expect.stringMatching(
      /nodeSelectorTerms\[0\]: Invalid value: .*: only additions are allowed \(no mutations or deletions\)$/,
    ),
  ]);
});

test('an update that leaves the spec alone is not checked again', () => {
  expect(podRules.validateUpdate?.({ ...old, metadata: {} }, old)).toEqual([]);
});

const debugged = ephemeralContainerRules.defaults?.({
  ...old,
  spec: {
    ...specOf(old),
    ephemeralContainers: [{ name: 'dbg', image: 'busybox', targetContainerName: 'c' }],
  },
}) as JsonObject;
const ephemeral = (list: readonly JsonObject[]): string[] =>
  updateRefusals(
    ephemeralContainerRules,
    { ...debugged, spec: { ...specOf(debugged), ephemeralContainers: list } },
    debugged,
  );
const dbg = first(debugged, 'ephemeralContainers');

test.for<readonly [what: string, list: readonly JsonObject[], complaints: readonly unknown[]]>([
  ['one more', [dbg, { name: 'dbg2', image: 'busybox' }], []],
  [
    'a change',
    [{ ...dbg, image: 'changed' }],
    [
      expect.stringMatching(
        /^spec\.ephemeralContainers: Forbidden: existing ephemeral containers "dbg" may not be changed\n/,
      ),
    ],
  ],
  [
    'one less',
    [],
    ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "dbg" may not be removed\n'],
  ],
  ['a taken name', [dbg, container], ['spec.ephemeralContainers[1].name: Duplicate value: "c"']],
  [
    'ports',
    [dbg, { name: 'x', image: 'x', ports: [{ containerPort: 1 }] }],
    ['spec.ephemeralContainers[1].ports: Forbidden: cannot be set for an Ephemeral Container'],
  ],
  [
    'resources',
    [dbg, { name: 'x', image: 'x', resources: { limits: { cpu: '1' } } }],
    ['spec.ephemeralContainers[1].resources: Forbidden: cannot be set for an Ephemeral Container'],
  ],
  [
    'an unknown target',
    [dbg, { name: 'x', image: 'x', targetContainerName: 'y' }],
    ['spec.ephemeralContainers[1].targetContainerName: Not found: "y"'],
  ],
])('ephemeral containers: %s', ([, list, complaints]) => {
  expect(ephemeral(list)).toEqual(complaints);
});

test('the ephemeral containers endpoint sees nothing else', () => {
  const given = {
    ...debugged,
    spec: { ...specOf(debugged), nodeName: 'n', ephemeralContainers: [dbg] },
    status: {},
  };
  expect(ephemeralContainerRules.prepareUpdate?.(given, debugged)).toEqual(debugged);
});
