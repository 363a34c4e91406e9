import type { Json, JsonObject } from '#base/json.ts';
import { formatTime, instant, later, parseTime, seconds, type Instant } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { ViewSnapshot } from '#releases/decide/view/release-view.ts';
import { runLabels } from '#releases/model/run-labels.ts';
import { gateType, instanceLabel, revisionLabel, stoppedAnnotation } from '#releases/model/well-known.ts';

/** The moment at which the shop is looked at. */
export const shopTime: Instant = parseTime('2026-11-16T10:00:00Z') ?? instant(0);

export const ago = (span: number): string => formatTime(later(shopTime, seconds(-span)));

const shopSteps: readonly JsonObject[] = [
  { partition: 3 },
  { pause: {} },
  { partition: 2 },
  { pause: { duration: 60 } },
  { hook: { templateName: 'smoke-test' } },
];

export const stableName = 'shop-6b9df96489';
export const updateName = 'shop-5cd8dd8b6b';

const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'shop' } },
  spec: { containers: [{ name: 'shop', image }] },
});

export const revisionOf = (name: string, number: number, image: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name, namespace: 'games', creationTimestamp: ago(7200 - number) },
  data: { spec: { template: { ...template(image), $patch: 'replace' } } },
  revision: number,
});

/** A GameDeployment whose release is at a step. */
export const shopWorkload = (status: JsonObject = {}, more: JsonObject = {}): KubeObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: {
    name: 'shop',
    namespace: 'games',
    uid: 'uid-shop',
    generation: 2,
    creationTimestamp: ago(7200),
  },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'shop' } },
    template: template('registry.example/shop:1.5'),
    updateStrategy: { type: 'InplaceUpdate', canary: { steps: shopSteps } },
  },
  status: {
    observedGeneration: 2,
    replicas: 4,
    readyReplicas: 4,
    updatedReplicas: 1,
    updatedReadyReplicas: 1,
    currentRevision: stableName,
    updateRevision: updateName,
    phase: 'Progressing',
    ...status,
    canary: { revision: stableName, releaseID: 'r2', ...(status['canary'] as JsonObject | undefined) },
  },
  ...more,
});

export const pauseFrom = (reason: string, span: number): Json => [{ reason, startTime: ago(span) }];

export type ShopPod = {
  readonly name: string;
  readonly revision?: string;
  readonly phase?: string;
  readonly waiting?: string;
  readonly restarts?: number;
  readonly gate?: 'True' | 'False';
  readonly isReady?: boolean;
  readonly age?: number;
};

export function shopPod(given: ShopPod): KubeObject {
  const { name, revision = stableName, phase = 'Running', restarts = 0, gate = 'True', age = 3600 } = given;
  const isReady = given.isReady ?? (phase === 'Running' && gate === 'True' && given.waiting === undefined);
  return {
    kind: 'Pod',
    metadata: {
      name: `shop-${name}`,
      namespace: 'games',
      creationTimestamp: ago(age),
      labels: { app: 'shop', [revisionLabel]: revision, [instanceLabel]: name },
    },
    spec: {
      nodeName: 'node-1',
      containers: [{ name: 'shop' }],
      readinessGates: [{ conditionType: gateType }],
    },
    status: {
      phase,
      podIP: '10.0.0.7',
      containerStatuses: [
        {
          name: 'shop',
          ready: isReady,
          restartCount: restarts,
          state: given.waiting === undefined ? { running: {} } : { waiting: { reason: given.waiting } },
        },
      ],
      conditions: [
        { type: 'Ready', status: isReady ? 'True' : 'False' },
        { type: gateType, status: gate },
      ],
    },
  };
}

const stepLabels = (step: number, release: string): Readonly<Record<string, string>> =>
  runLabels({
    kind: 'GameDeployment',
    workload: 'shop',
    revision: updateName,
    point: 'canary-step',
    step,
    release,
  });

/** The HookRun of a step, from 0, with its last value. */
export function shopRun(
  step: number,
  phase: string,
  more: {
    readonly release?: string;
    readonly value?: string;
    readonly suffix?: string;
    readonly isStopped?: boolean;
  } = {},
): KubeObject {
  const { release = 'r2', value, suffix = '', isStopped = false } = more;
  return {
    kind: 'HookRun',
    metadata: {
      name: `${updateName}-${step}-smoke-test${suffix}`,
      namespace: 'games',
      creationTimestamp: ago(suffix === '' ? 40 : 30),
      labels: stepLabels(step, release),
      annotations: isStopped ? { [stoppedAnnotation]: 'true' } : {},
    },
    spec: { metrics: [{ name: 'error-rate', successCondition: 'asFloat(result) < 0.05', failureLimit: 0 }] },
    status: runStatus(phase, value),
  };
}

function runStatus(phase: string, value: string | undefined): JsonObject {
  const isOver = phase === 'Successful' || phase === 'Failed';
  const measurements = value === undefined ? [] : [{ phase: isOver ? phase : 'Pending', value }];
  const metric = {
    name: 'error-rate',
    phase,
    count: measurements.length,
    failed: phase === 'Failed' ? 1 : 0,
  };
  return {
    phase,
    ...(isOver ? { finishedAt: ago(20) } : {}),
    metricResults: [{ ...metric, measurements }],
  };
}

export const shopSnapshot = (parts: Partial<ViewSnapshot> = {}): ViewSnapshot => {
  const update = revisionOf(updateName, 2, 'registry.example/shop:1.5');
  const revisions = [revisionOf(stableName, 1, 'registry.example/shop:1.4'), update];
  return {
    workload: shopWorkload(),
    updateRevision: revisions.find((each) => nameOf(each) === updateName) ?? update,
    revisions,
    pods: [
      shopPod({ name: 'b4xzk', revision: updateName, restarts: 1, age: 3600 }),
      shopPod({ name: 'k8w2p' }),
      shopPod({ name: 'mm2fq' }),
      shopPod({ name: 'zz9lt' }),
    ],
    runs: [],
    now: shopTime,
    ...parts,
  };
};
