import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { instant, parseTime } from '#base/time.ts';
import { podColumns, podRowConditions } from './pods.ts';
import { renderRow } from './render.ts';

const now = parseTime('2026-11-15T12:00:00Z') ?? instant(0);

type Parts = { meta?: JsonObject; spec?: JsonObject; status?: JsonObject };

const pod = ({ meta = {}, spec = {}, status = {} }: Parts): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', creationTimestamp: '2026-11-15T11:56:58Z', ...meta },
  spec: { containers: [{ name: 'c' }], ...spec },
  status,
});

const running = { running: {} };
const waiting = (reason: string): JsonObject => ({ waiting: { reason } });
const ended = (exitCode: number, more: JsonObject = {}): JsonObject => ({
  terminated: { exitCode, ...more },
});
const restarted = (finishedAt: string): JsonObject => ({
  lastState: { terminated: { exitCode: 1, finishedAt } },
});
const container = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'c',
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const two = { containers: [{ name: 'c' }, { name: 'd' }] };
const twoInit = { initContainers: [{ name: 'i1' }, { name: 'i2' }] };
const sidecar = { initContainers: [{ name: 's', restartPolicy: 'Always' }] };
const init = (...statuses: readonly JsonObject[]): JsonObject => ({
  phase: 'Pending',
  initContainerStatuses: statuses,
});
const deleting = { deletionTimestamp: '2026-11-15T12:00:10Z' };

const cases: readonly { name: string; given: Parts; expect: readonly [string, string, string] }[] = [
  { name: 'a pending pod', given: { status: { phase: 'Pending' } }, expect: ['0/1', 'Pending', '0'] },
  {
    name: 'a running pod',
    given: { status: { phase: 'Running', containerStatuses: [container(running, { ready: true })] } },
    expect: ['1/1', 'Running', '0'],
  },
  {
    name: 'a running container that is not ready',
    given: { status: { phase: 'Running', containerStatuses: [container(running)] } },
    expect: ['0/1', 'Running', '0'],
  },
  {
    name: 'a crashing container, and when it crashed',
    given: {
      status: {
        phase: 'Running',
        containerStatuses: [
          container(waiting('CrashLoopBackOff'), { restartCount: 4, ...restarted('2026-11-15T11:55:00Z') }),
        ],
      },
    },
    expect: ['0/1', 'CrashLoopBackOff', '4 (5m ago)'],
  },
  {
    name: 'restarts add up and the last one counts',
    given: {
      spec: two,
      status: {
        phase: 'Running',
        containerStatuses: [
          container(running, { ready: true, restartCount: 1, ...restarted('2026-11-15T11:59:30Z') }),
          container(running, {
            name: 'd',
            ready: true,
            restartCount: 2,
            ...restarted('2026-11-15T10:00:00Z'),
          }),
        ],
      },
    },
    expect: ['2/2', 'Running', '3 (30s ago)'],
  },
  {
    name: 'restarts at an unknown time',
    given: { status: { phase: 'Running', containerStatuses: [container(running, { restartCount: 2 })] } },
    expect: ['0/1', 'Running', '2'],
  },
  {
    name: 'a completed pod',
    given: {
      status: { phase: 'Succeeded', containerStatuses: [container(ended(0, { reason: 'Completed' }))] },
    },
    expect: ['0/1', 'Completed', '0'],
  },
  {
    name: 'an exit code without a reason',
    given: { status: { phase: 'Failed', containerStatuses: [container(ended(3))] } },
    expect: ['0/1', 'ExitCode:3', '0'],
  },
  {
    name: 'a signal without a reason',
    given: { status: { phase: 'Running', containerStatuses: [container(ended(0, { signal: 9 }))] } },
    expect: ['0/1', 'Signal:9', '0'],
  },
  {
    name: 'the reason of the pod precedes its phase',
    given: { status: { phase: 'Failed', reason: 'Evicted' } },
    expect: ['0/1', 'Evicted', '0'],
  },
  {
    name: 'scheduling gates',
    given: {
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      },
    },
    expect: ['0/1', 'SchedulingGated', '0'],
  },
  {
    name: 'the first container with a reason decides',
    given: {
      spec: two,
      status: {
        phase: 'Pending',
        containerStatuses: [
          container(waiting('ErrImagePull')),
          container(waiting('ContainerCreating'), { name: 'd' }),
        ],
      },
    },
    expect: ['0/2', 'ErrImagePull', '0'],
  },
  {
    name: 'one container is done, another serves, the pod is ready',
    given: {
      spec: two,
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          container(running, { ready: true }),
          container(ended(0, { reason: 'Completed' }), { name: 'd' }),
        ],
      },
    },
    expect: ['1/2', 'Running', '0'],
  },
  {
    name: 'the same, but the pod is not ready',
    given: {
      spec: two,
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'False' }],
        containerStatuses: [
          container(running, { ready: true }),
          container(ended(0, { reason: 'Completed' }), { name: 'd' }),
        ],
      },
    },
    expect: ['1/2', 'NotReady', '0'],
  },
  {
    name: 'the first init container runs',
    given: {
      spec: twoInit,
      status: init(container(running, { name: 'i1' }), container(waiting('PodInitializing'), { name: 'i2' })),
    },
    expect: ['0/1', 'Init:0/2', '0'],
  },
  {
    name: 'the second init container waits its turn',
    given: {
      spec: twoInit,
      status: init(
        container(ended(0), { name: 'i1' }),
        container(waiting('PodInitializing'), { name: 'i2' }),
      ),
    },
    expect: ['0/1', 'Init:1/2', '0'],
  },
  {
    name: 'an init container cannot be pulled',
    given: {
      spec: twoInit,
      status: init(container(ended(0), { name: 'i1' }), container(waiting('ErrImagePull'), { name: 'i2' })),
    },
    expect: ['0/1', 'Init:ErrImagePull', '0'],
  },
  {
    name: 'an init container failed with a code',
    given: { spec: twoInit, status: init(container(ended(2), { name: 'i1' })) },
    expect: ['0/1', 'Init:ExitCode:2', '0'],
  },
  {
    name: 'an init container was killed',
    given: { spec: twoInit, status: init(container(ended(137, { signal: 9 }), { name: 'i1' })) },
    expect: ['0/1', 'Init:Signal:9', '0'],
  },
  {
    name: 'an init container failed with a reason, again and again',
    given: {
      spec: twoInit,
      status: init(
        container(ended(1, { reason: 'Error' }), {
          name: 'i1',
          restartCount: 3,
          ...restarted('2026-11-15T11:59:00Z'),
        }),
      ),
    },
    expect: ['0/1', 'Init:Error', '3 (60s ago)'],
  },
  {
    name: 'restarts of finished init containers are forgotten',
    given: {
      spec: twoInit,
      status: {
        phase: 'Running',
        initContainerStatuses: [
          container(ended(0), { name: 'i1', restartCount: 3, ...restarted('2026-11-15T11:59:00Z') }),
        ],
        containerStatuses: [container(running, { ready: true })],
      },
    },
    expect: ['1/1', 'Running', '0'],
  },
  {
    name: 'a started sidecar counts as a container',
    given: {
      spec: sidecar,
      status: {
        phase: 'Running',
        initContainerStatuses: [
          container(running, { name: 's', ready: true, started: true, restartCount: 1 }),
        ],
        containerStatuses: [container(running, { ready: true })],
      },
    },
    expect: ['2/2', 'Running', '1'],
  },
  {
    name: 'a sidecar that has not started delays the pod',
    given: { spec: sidecar, status: init(container(running, { name: 's', started: false })) },
    expect: ['0/2', 'Init:0/1', '0'],
  },
  {
    name: 'a sidecar that crashes after the pod was initialized names the state, yet containers count',
    given: {
      spec: sidecar,
      status: {
        phase: 'Running',
        conditions: [{ type: 'Initialized', status: 'True' }],
        initContainerStatuses: [
          container(waiting('CrashLoopBackOff'), { name: 's', started: false, restartCount: 2 }),
        ],
        containerStatuses: [container(running, { ready: true })],
      },
    },
    expect: ['1/2', 'Init:CrashLoopBackOff', '2'],
  },
  {
    name: 'a terminating pod',
    given: {
      meta: deleting,
      status: { phase: 'Running', containerStatuses: [container(running, { ready: true })] },
    },
    expect: ['1/1', 'Terminating', '0'],
  },
  {
    name: 'a terminating pod on a lost node',
    given: { meta: deleting, status: { phase: 'Running', reason: 'NodeLost' } },
    expect: ['0/1', 'Unknown', '0'],
  },
  {
    name: 'a pod that ended before it was deleted',
    given: { meta: deleting, status: { phase: 'Failed', reason: 'Evicted' } },
    expect: ['0/1', 'Evicted', '0'],
  },
];

test.for(cases)('$name', ({ given, expect: expected }) => {
  expect(renderRow(podColumns, pod(given), now).slice(1, 4)).toEqual(expected);
});

test('the other cells of a pod', () => {
  const gates = { readinessGates: [{ conditionType: 'g' }, { conditionType: 'h' }], nodeName: 'n1' };
  const conditions: Json = [{ type: 'g', status: 'True' }];
  const full = pod({
    spec: gates,
    status: { conditions, podIPs: [{ ip: '10.1.2.3' }], nominatedNodeName: 'n9' },
  });
  expect(renderRow(podColumns, full, now).slice(4)).toEqual(['3m2s', '10.1.2.3', 'n1', 'n9', '1/2']);
  expect(renderRow(podColumns, pod({}), now).slice(4)).toEqual([
    '3m2s',
    '<none>',
    '<none>',
    '<none>',
    '<none>',
  ]);
});

test.for([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
] as const)('the row of a pod in phase %s has the condition Completed', ([phase, message]) => {
  expect(podRowConditions(pod({ status: { phase } }))).toEqual([
    { type: 'Completed', status: 'True', reason: phase, message },
  ]);
});

test('the row of any other pod has no condition', () => {
  expect(podRowConditions(pod({ status: { phase: 'Running' } }))).toBeUndefined();
});
