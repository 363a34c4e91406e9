import { expect, test } from 'vitest';
import { at, isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { withMeta, type KubeObject } from '#kube/object.ts';
import { named, pod, type PodOptions } from '#embedded/nodes/testing/pods.ts';
import { Rehearsal, type RehearsalOptions } from '#embedded/nodes/testing/rehearsal.ts';
import { summary, historyLines } from '#embedded/nodes/testing/history-lines.ts';
import { stages } from './stages.ts';

type Case = {
  readonly name: string;
  readonly given: PodOptions;
  readonly options?: RehearsalOptions;
  readonly act?: (rehearsal: Rehearsal) => void;
  readonly pass?: number;
  readonly expect: readonly string[];
};

const job = {
  ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }],
};
const present = { images: new Set(['app:1', 'app:2']) };
const minute = 60_000;

const spec = (given: KubeObject, change: JsonObject): KubeObject => ({
  ...given,
  spec: { ...(given['spec'] as JsonObject), ...change },
});
const setImage = (rehearsal: Rehearsal, image: string): void => {
  const [first, ...rest] = listAt(rehearsal.pod, 'spec', 'containers').filter(isObject);
  rehearsal.change(spec(rehearsal.pod, { containers: [{ ...first, image }, ...rest] }));
};
const annotate = (rehearsal: Rehearsal, annotations: JsonObject): void =>
  rehearsal.change(withMeta(rehearsal.pod, { annotations }));

const started = 'Pulled(c) Created(c) Started(c)';

const cases: readonly Case[] = [
  {
    name: 'instant: one write from bound to ready',
    given: {},
    expect: ['0s Running c:running#0 +ready | Pulling(c) Pulled(c) Created(c) Started(c)'],
  },
  {
    name: 'realistic: pull, create, start',
    given: { annotations: { 'pull-delay': '2s', 'start-delay': '500ms' } },
    options: { profile: 'realistic' },
    pass: minute,
    expect: [
      '0s Pending c:ContainerCreating#0 -ready | Pulling(c)',
      '2s = | Pulled(c)',
      '2.5s Running c:running#0 +ready | Created(c) Started(c)',
    ],
  },
  {
    name: 'the time scale shortens every span',
    given: { annotations: { 'pull-delay': '2s', 'ready-delay': '10s' } },
    options: { timeScale: 0.01 },
    pass: minute,
    expect: [
      '0s Pending c:ContainerCreating#0 -ready | Pulling(c)',
      '0.02s Running c:running#0 -ready | Pulled(c) Created(c) Started(c)',
      '0.12s Running c:running#0 +ready',
    ],
  },
  {
    name: 'annotations override rules',
    given: { annotations: { 'ready-delay': '1s' } },
    options: { ...present, rules: { 'ready-delay': '30s', 'start-delay': '2s' } },
    pass: minute,
    expect: [
      '0s Pending c:ContainerCreating#0 -ready | Pulled(c)',
      '2s Running c:running#0 -ready | Created(c) Started(c)',
      '3s Running c:running#0 +ready',
    ],
  },
  {
    name: 'another image restarts the container in place',
    given: { annotations: { 'term-duration': '1s', 'start-delay': '2s' } },
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(10_000);
      setImage(rehearsal, 'app:2');
    },
    pass: minute,
    expect: [
      '0s Pending c:ContainerCreating#0 -ready | Pulled(c)',
      '2s Running c:running#0 +ready | Created(c) Started(c)',
      '10s Running c:running#0 -ready | Killing(c)',
      '11s Running c:exit0#0 -ready',
      '11s = | Pulled(c)',
      '13s Running c:running#1 +ready | Created(c) Started(c)',
    ],
  },
  {
    name: 'a node that can patches a running container if the pod requests it',
    given: { meta: { annotations: { 'io.kubernetes.hotpatch.container': 'true' } } },
    options: { ...present, hotPatches: true },
    act: (rehearsal) => setImage(rehearsal, 'app:2'),
    pass: minute,
    expect: [`0s Running c:running#0 +ready | ${started}`, '0s Running c:running#0 +ready'],
  },
  {
    name: 'a node that cannot restarts it all the same',
    given: { meta: { annotations: { 'io.kubernetes.hotpatch.container': 'true' } } },
    options: present,
    act: (rehearsal) => setImage(rehearsal, 'app:2'),
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:exit0#0 -ready | Killing(c)',
      `0s Running c:running#1 +ready | ${started}`,
    ],
  },
  {
    name: 'even where the policy restarts nothing: the end is shown as the last state only',
    given: { spec: { restartPolicy: 'Never' } },
    options: present,
    act: (rehearsal) => setImage(rehearsal, 'app:2'),
    pass: 1,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:ContainerCreating#0 -ready | Killing(c)',
      `0s Running c:running#1 +ready | ${started}`,
    ],
  },
  {
    name: 'a crash loop: at once, then 10 s, 20 s, 40 s',
    given: { annotations: { 'crash-after': '2s', 'exit-code': '3' } },
    options: present,
    pass: 50_000,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '2s Running c:exit3#0 -ready',
      `2s Running c:running#1 +ready | ${started}`,
      '4s Running c:exit3#1 -ready',
      '4s Running c:CrashLoopBackOff#1 -ready | BackOff(c)',
      `14s Running c:running#2 +ready | ${started}`,
      '16s Running c:exit3#2 -ready',
      '16s Running c:CrashLoopBackOff#2 -ready | BackOff(c)',
      `36s Running c:running#3 +ready | ${started}`,
      '38s Running c:exit3#3 -ready',
      '38s Running c:CrashLoopBackOff#3 -ready | BackOff(c)',
    ],
  },
  {
    name: 'after so many crashes it lasts',
    given: { annotations: { 'crash-after': '1s', 'crash-count': '1' } },
    options: present,
    pass: 20 * minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '1s Running c:exit1#0 -ready',
      `1s Running c:running#1 +ready | ${started}`,
    ],
  },
  {
    name: 'ten healthy minutes forgive',
    given: { annotations: { 'crash-after': '11m' } },
    options: present,
    pass: 23 * minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '660s Running c:exit1#0 -ready',
      `660s Running c:running#1 +ready | ${started}`,
      '1320s Running c:exit1#1 -ready',
      `1320s Running c:running#2 +ready | ${started}`,
    ],
  },
  {
    name: 'another image ends the back-off',
    given: { annotations: { 'crash-after': '1s', 'crash-count': '2' } },
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(3000);
      setImage(rehearsal, 'app:2');
    },
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '1s Running c:exit1#0 -ready',
      `1s Running c:running#1 +ready | ${started}`,
      '2s Running c:exit1#1 -ready',
      '2s Running c:CrashLoopBackOff#1 -ready | BackOff(c)',
      `3s Running c:running#2 +ready | ${started}`,
    ],
  },
  {
    name: 'OnFailure: the well ended are left alone',
    given: { spec: { restartPolicy: 'OnFailure' }, annotations: { 'run-duration': '5s' } },
    options: present,
    pass: minute,
    expect: [`0s Running c:running#0 +ready | ${started}`, '5s Succeeded c:exit0#0 -ready'],
  },
  {
    name: 'Never: the badly ended too',
    given: { spec: { restartPolicy: 'Never' }, annotations: { 'crash-after': '5s' } },
    options: present,
    pass: minute,
    expect: [`0s Running c:running#0 +ready | ${started}`, '5s Failed c:exit1#0 -ready'],
  },
  {
    name: 'an image that cannot be pulled',
    given: { annotations: { pull: 'error' } },
    act: (rehearsal) => {
      rehearsal.pass(13_000);
      annotate(rehearsal, {});
    },
    pass: minute,
    expect: [
      '0s Pending c:ErrImagePull#0 -ready | Pulling(c) Failed(c) Failed(c)',
      '1s Pending c:ImagePullBackOff#0 -ready | BackOff(c) Failed(c)',
      '11s Pending c:ErrImagePull#0 -ready | Pulling(c) Failed(c) Failed(c)',
      '12s Pending c:ImagePullBackOff#0 -ready | BackOff(c) Failed(c)',
      '32s Running c:running#0 +ready | Pulling(c) Pulled(c) Created(c) Started(c)',
    ],
  },
  {
    name: 'a good image is pulled at once',
    given: { annotations: { pull: 'error' } },
    act: (rehearsal) => {
      rehearsal.pass(2000);
      annotate(rehearsal, {});
      setImage(rehearsal, 'app:2');
    },
    expect: [
      '0s Pending c:ErrImagePull#0 -ready | Pulling(c) Failed(c) Failed(c)',
      '1s Pending c:ImagePullBackOff#0 -ready | BackOff(c) Failed(c)',
      '2s Running c:running#0 +ready | Pulling(c) Pulled(c) Created(c) Started(c)',
    ],
  },
  {
    name: 'a text that names no image, until it does',
    given: { container: { image: 'Not An Image' } },
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(minute);
      setImage(rehearsal, 'app:2');
    },
    expect: [
      '0s Pending c:InvalidImageName#0 -ready | InspectFailed(c) Failed(c)',
      `60s Running c:running#0 +ready | ${started}`,
    ],
  },
  {
    name: 'liveness: after so many failures the container is restarted',
    given: {
      container: { livenessProbe: { periodSeconds: 5, failureThreshold: 2 } },
      annotations: { 'liveness-probe': 'fail-after:12s' },
    },
    options: present,
    pass: 45_000,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '15s = | Unhealthy(c)',
      '20s Running c:exit0#0 -ready | Unhealthy(c) Killing(c)',
      `20s Running c:running#1 +ready | ${started}`,
      '35s = | Unhealthy(c)',
      '40s Running c:exit0#1 -ready | Unhealthy(c) Killing(c)',
      '40s Running c:CrashLoopBackOff#1 -ready | BackOff(c)',
    ],
  },
  {
    name: 'startup: slow, then ready',
    given: {
      container: { startupProbe: { periodSeconds: 2, failureThreshold: 30 } },
      annotations: { 'startup-probe': 'fail-first:5s' },
    },
    options: { ...present, profile: 'realistic', rules: { 'start-delay': '0' } },
    pass: minute,
    expect: [
      `0s Running c:running#0 -ready | ${started} Unhealthy(c)`,
      '2s = | Unhealthy(c)',
      '4s = | Unhealthy(c)',
      '6s Running c:running#0 +ready',
    ],
  },
  {
    name: 'startup: too slow',
    given: {
      container: { startupProbe: { periodSeconds: 2, failureThreshold: 3 } },
      annotations: { 'startup-probe': 'fail', 'term-duration': '1s' },
    },
    options: present,
    pass: 5000,
    expect: [
      `0s Running c:running#0 -ready | ${started} Unhealthy(c)`,
      '2s = | Unhealthy(c)',
      '4s = | Unhealthy(c) Killing(c)',
      '5s Running c:exit0#0 -ready',
      `5s Running c:running#1 -ready | ${started} Unhealthy(c)`,
    ],
  },
  {
    name: 'readiness: thresholds both ways',
    given: {
      container: {
        readinessProbe: {
          initialDelaySeconds: 3,
          periodSeconds: 2,
          successThreshold: 2,
          failureThreshold: 3,
        },
      },
      annotations: { probe: 'fail-after:9s' },
    },
    options: { ...present, profile: 'realistic', rules: { 'start-delay': '0' } },
    pass: minute,
    expect: [
      `0s Running c:running#0 -ready | ${started}`,
      '5s Running c:running#0 +ready',
      '9s = | Unhealthy(c)',
      '11s = | Unhealthy(c)',
      '13s Running c:running#0 -ready | Unhealthy(c)',
    ],
  },
  {
    name: 'readiness that flaps, without a probe',
    given: { annotations: { probe: 'flap:10s' } },
    options: present,
    pass: 35_000,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '10s Running c:running#0 -ready',
      '20s Running c:running#0 +ready',
      '30s Running c:running#0 -ready',
    ],
  },
  {
    name: 'a script that changes is followed at once',
    given: {},
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(1000);
      annotate(rehearsal, { 'sim.boathook.dev/probe': 'fail' });
      rehearsal.pass(1000);
      annotate(rehearsal, {});
    },
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '1s Running c:running#0 -ready',
      '2s Running c:running#0 +ready',
    ],
  },
  {
    name: 'init containers one by one, a sidecar stays and ends last',
    given: {
      annotations: { 'run-duration.i': '2s', 'run-duration.k': '3s' },
      spec: { initContainers: [named('i'), named('s', { restartPolicy: 'Always' }), named('k')] },
    },
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(10_000);
      rehearsal.remove(30);
    },
    pass: minute,
    expect: [
      '0s Pending i:running#0 s:PodInitializing#0 k:PodInitializing#0 c:PodInitializing#0 -ready | Pulled(i) Created(i) Started(i)',
      '2s Pending i:exit0#0 s:running#0 k:running#0 c:PodInitializing#0 -ready | Pulled(s) Created(s) Started(s) Pulled(k) Created(k) Started(k)',
      '5s Running i:exit0#0 s:running#0 k:exit0#0 c:running#0 +ready | Pulled(c) Created(c) Started(c)',
      '10s Succeeded i:exit0#0 s:exit0#0 k:exit0#0 c:exit0#0 -ready REMOVED | Killing(c) Killing(s)',
    ],
  },
  {
    name: 'an init container that fails is tried again, under Never it fails the pod',
    given: {
      annotations: { 'exit-code.i': '2' },
      spec: { restartPolicy: 'Never', initContainers: [named('i')] },
    },
    options: present,
    pass: minute,
    expect: ['0s Failed i:exit2#0 c:PodInitializing#0 -ready | Pulled(i) Created(i) Started(i)'],
  },
  {
    name: 'a failing init container backs off',
    given: {
      annotations: { 'crash-after.i': '1s', 'crash-count.i': '2' },
      spec: { initContainers: [named('i')] },
    },
    options: present,
    pass: minute,
    expect: [
      '0s Pending i:running#0 c:PodInitializing#0 -ready | Pulled(i) Created(i) Started(i)',
      '1s Pending i:exit1#0 c:PodInitializing#0 -ready',
      '1s Pending i:running#1 c:PodInitializing#0 -ready | Pulled(i) Created(i) Started(i)',
      '2s Pending i:exit1#1 c:PodInitializing#0 -ready',
      '2s Pending i:CrashLoopBackOff#1 c:PodInitializing#0 -ready | BackOff(i)',
      `12s Running i:exit0#2 c:running#0 +ready | Pulled(i) Created(i) Started(i) ${started}`,
    ],
  },
  {
    name: 'an ephemeral container joins and is not restarted',
    given: { annotations: { 'crash-after.e': '3s' } },
    options: present,
    act: (rehearsal) => rehearsal.change(spec(rehearsal.pod, { ephemeralContainers: [named('e')] })),
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:running#0 e:running#0 +ready | Pulled(e) Created(e) Started(e)',
      '3s Running c:running#0 e:exit1#0 +ready',
    ],
  },
  {
    name: 'preStop, then SIGTERM, within the grace',
    given: {
      container: { lifecycle: { preStop: { exec: { command: ['sh', '-c', 'sleep 3'] } } } },
      annotations: { 'term-duration': '2s', 'term-exit-code': '143' },
    },
    options: present,
    act: (rehearsal) => rehearsal.remove(30),
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:running#0 -ready | Killing(c) PreStopHook(c)',
      '5s Failed c:exit143#0 -ready REMOVED',
    ],
  },
  {
    name: 'a container that does not end in time is killed',
    given: { annotations: { 'term-duration': '60s' } },
    options: present,
    act: (rehearsal) => rehearsal.remove(5),
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:running#0 -ready | Killing(c)',
      '5s Failed c:exit137#0 -ready REMOVED',
    ],
  },
  {
    name: 'a hook that takes all the grace leaves two seconds',
    given: {
      container: { lifecycle: { preStop: { sleep: { seconds: 60 } } } },
      annotations: { 'term-duration': '60s' },
    },
    options: present,
    act: (rehearsal) => rehearsal.remove(5),
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:running#0 -ready | Killing(c) PreStopHook(c)',
      '5s = | FailedPreStopHook(c)',
      '7s Failed c:exit137#0 -ready REMOVED',
    ],
  },
  {
    name: 'a second deletion shortens the grace',
    given: { annotations: { 'term-duration': '60s' } },
    options: present,
    act: (rehearsal) => {
      rehearsal.remove(30);
      rehearsal.pass(3000);
      rehearsal.remove(4);
    },
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '0s Running c:running#0 -ready | Killing(c)',
      '7s Failed c:exit137#0 -ready REMOVED',
    ],
  },
  {
    name: 'deleted while its image is pulled',
    given: { annotations: { 'pull-delay': '10s' } },
    act: (rehearsal) => {
      rehearsal.pass(1000);
      rehearsal.remove(30);
    },
    pass: minute,
    expect: [
      '0s Pending c:ContainerCreating#0 -ready | Pulling(c)',
      '1s Failed c:ContainerCreating#0 -ready REMOVED',
    ],
  },
  {
    name: 'deleted while it backs off',
    given: { annotations: { 'crash-after': '1s' } },
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(3000);
      rehearsal.remove(30);
    },
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '1s Running c:exit1#0 -ready',
      `1s Running c:running#1 +ready | ${started}`,
      '2s Running c:exit1#1 -ready',
      '2s Running c:CrashLoopBackOff#1 -ready | BackOff(c)',
      '3s Failed c:exit137#1 -ready REMOVED',
    ],
  },
  {
    name: 'a postStart hook delays readiness',
    given: { container: { lifecycle: { postStart: { exec: { command: ['/bin/sleep', '4'] } } } } },
    options: present,
    pass: minute,
    expect: [`0s Running c:running#0 -ready | ${started} PostStartHook(c)`, '4s Running c:running#0 +ready'],
  },
  {
    name: 'a pod of a Job completes, its sidecar with it',
    given: {
      meta: job,
      spec: { restartPolicy: 'Never', initContainers: [named('s', { restartPolicy: 'Always' })] },
      annotations: { 'run-duration': '3s', 'term-duration.s': '1s' },
    },
    options: present,
    pass: minute,
    expect: [
      `0s Running s:running#0 c:running#0 +ready | Pulled(s) Created(s) Started(s) ${started}`,
      '3s Running s:running#0 c:exit0#0 -ready | Killing(s)',
      '4s Succeeded s:exit0#0 c:exit0#0 -ready',
    ],
  },
  {
    name: 'a pod that is active for too long fails',
    given: { spec: { activeDeadlineSeconds: 5 }, annotations: { 'term-duration': '1s' } },
    options: present,
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '5s Failed c:running#0 -ready | DeadlineExceeded Killing(c)',
      '6s Failed c:exit0#0 -ready',
    ],
  },
  {
    name: 'a crash on demand happens once',
    given: { annotations: { 'crash-at': '2026-09-21T14:13:25.500Z' } },
    options: present,
    act: (rehearsal) => {
      rehearsal.pass(5600);
      rehearsal.restart();
    },
    pass: minute,
    expect: [
      `0s Running c:running#0 +ready | ${started}`,
      '5.5s Running c:exit1#0 -ready',
      `5.5s Running c:running#1 +ready | ${started}`,
    ],
  },
];

function perform({ given, options, act, pass = 0 }: Case): Rehearsal {
  const rehearsal = new Rehearsal(pod(given), options);
  act?.(rehearsal);
  rehearsal.pass(pass);
  return rehearsal;
}

test.for(cases)('$name', (each) => {
  expect(historyLines(perform(each))).toEqual(each.expect);
});

test('every row of the table of stages has a name of its own and a case above', () => {
  const names = stages.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const seen = new Set(cases.flatMap((each) => perform(each).history.flatMap(({ result }) => result.rows)));
  expect(names.filter((name) => !seen.has(name))).toEqual([]);
});

const condition = (given: KubeObject, type: string): JsonObject | undefined =>
  listAt(given, 'status', 'conditions')
    .filter(isObject)
    .find((each) => each['type'] === type);
const withCondition = (given: KubeObject, added: JsonObject): KubeObject => ({
  ...given,
  status: {
    ...(given['status'] as JsonObject),
    conditions: [
      ...listAt(given, 'status', 'conditions').filter((each) => at(each, 'type') !== added['type']),
      added,
    ],
  },
});

test('readiness gates are looked at and never written', () => {
  const rehearsal = new Rehearsal(pod({ spec: { readinessGates: [{ conditionType: 'example.com/g' }] } }));
  expect(condition(rehearsal.pod, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'corresponding condition of pod readiness gate "example.com/g" does not exist.',
  });
  expect(condition(rehearsal.pod, 'ContainersReady')).toMatchObject({ status: 'True' });
  expect(condition(rehearsal.pod, 'example.com/g')).toBeUndefined();

  rehearsal.pass(1000);
  rehearsal.change(withCondition(rehearsal.pod, { type: 'example.com/g', status: 'False' }));
  expect(condition(rehearsal.pod, 'Ready')?.['message']).toBe(
    'the status of pod readiness gate "example.com/g" is not "True", but False',
  );

  rehearsal.pass(1000);
  const gate = { type: 'example.com/g', status: 'True', reason: 'Mine', lastTransitionTime: null };
  rehearsal.change(withCondition(rehearsal.pod, gate));
  expect(condition(rehearsal.pod, 'Ready')).toEqual({
    type: 'Ready',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: '2026-09-21T14:13:22Z',
  });
  expect(condition(rehearsal.pod, 'example.com/g')).toEqual(gate);
});

test('conditions come in the order of a kubelet, with its reasons and texts', () => {
  const rehearsal = new Rehearsal(
    pod({
      annotations: { 'start-delay.i': '1s', probe: 'fail' },
      spec: { initContainers: [named('i')], containers: [named('b'), named('a')] },
    }),
  );
  const line = (each: Json): string =>
    ['type', 'status', 'reason', 'message'].flatMap((key) => textAt(each, key) ?? []).join(' ');
  const lines = (): readonly string[] => listAt(rehearsal.pod, 'status', 'conditions').map(line);
  expect(lines()).toEqual([
    'PodReadyToStartContainers True',
    'Initialized False ContainersNotInitialized containers with incomplete status: [i]',
    'Ready False ContainersNotReady containers with unready status: [b a]',
    'ContainersReady False ContainersNotReady containers with unready status: [b a]',
    'PodScheduled True',
  ]);
  rehearsal.pass(2000);
  expect(lines().slice(1, 3)).toEqual([
    'Initialized True',
    'Ready False ContainersNotReady containers with unready status: [b a]',
  ]);
  expect(listAt(rehearsal.pod, 'status', 'containerStatuses').map((each) => at(each, 'name'))).toEqual([
    'a',
    'b',
  ]);

  const done = new Rehearsal(pod({ meta: job, spec: { restartPolicy: 'Never' } }));
  expect(listAt(done.pod, 'status', 'conditions').map(line)).toEqual([
    'PodReadyToStartContainers False',
    'Initialized True PodCompleted',
    'Ready False PodCompleted',
    'ContainersReady False PodCompleted',
    'PodScheduled True',
  ]);
});

test('a restart keeps the last state, and gives new ids', () => {
  const rehearsal = new Rehearsal(pod(), present);
  const before = listAt(rehearsal.pod, 'status', 'containerStatuses')[0];
  rehearsal.pass(5000);
  setImage(rehearsal, 'app:2');
  rehearsal.pass(1);
  const after = listAt(rehearsal.pod, 'status', 'containerStatuses')[0];
  expect(textAt(before, 'containerID')).toMatch(/^sim:\/\/[0-9a-f]{64}$/);
  expect(textAt(before, 'imageID')).toMatch(/^app@sha256:[0-9a-f]{64}$/);
  expect(textAt(after, 'containerID')).not.toBe(textAt(before, 'containerID'));
  expect(textAt(after, 'imageID')).not.toBe(textAt(before, 'imageID'));
  expect(after).toMatchObject({
    image: 'app:2',
    restartCount: 1,
    ready: true,
    started: true,
    state: { running: { startedAt: '2026-09-21T14:13:25Z' } },
    lastState: {
      terminated: {
        containerID: textAt(before, 'containerID'),
        exitCode: 0,
        reason: 'Completed',
        startedAt: '2026-09-21T14:13:20Z',
        finishedAt: '2026-09-21T14:13:25Z',
      },
    },
  });
});

test('the texts of a crash loop are those people search for', () => {
  const rehearsal = new Rehearsal(pod({ annotations: { 'crash-after': '1s' } }), present);
  rehearsal.pass(3000);
  expect(listAt(rehearsal.pod, 'status', 'containerStatuses')[0]).toMatchObject({
    state: {
      waiting: {
        reason: 'CrashLoopBackOff',
        message: 'back-off 10s restarting failed container=c pod=p_ns(uid-1)',
      },
    },
    lastState: { terminated: { exitCode: 1, reason: 'Error' } },
  });
  expect(rehearsal.history.flatMap(({ result }) => result.events).at(-1)?.message).toBe(
    'Back-off restarting failed container c in pod p_ns(uid-1)',
  );
});

test('observedGeneration is set if there is a generation', () => {
  const rehearsal = new Rehearsal(pod({ meta: { generation: 4 } }));
  expect(at(rehearsal.pod, 'status', 'observedGeneration')).toBe(4);
  expect(condition(rehearsal.pod, 'Ready')?.['observedGeneration']).toBe(4);
});

test('a pod with a finalizer is deleted once, and then left alone', () => {
  const rehearsal = new Rehearsal(pod({ meta: { finalizers: ['example.com/hold'] } }));
  rehearsal.remove(30);
  expect(rehearsal.isRemoved).toBe(true);
  const held = withMeta(rehearsal.pod, { deletionGracePeriodSeconds: 0 });
  const again = new Rehearsal(held);
  expect(again.isRemoved).toBe(false);
  expect(again.history.every(({ result }) => result.status === undefined)).toBe(true);
});

test('metadata never restarts anything', () => {
  const rehearsal = new Rehearsal(pod(), present);
  rehearsal.change(withMeta(rehearsal.pod, { labels: { a: 'b' }, annotations: { c: 'd' } }));
  expect(rehearsal.history.at(-1)?.result).toMatchObject({
    status: undefined,
    events: [],
    wakeAt: undefined,
  });
  expect(summary(rehearsal.pod)).toBe('Running c:running#0 +ready');
});
