import { expect, test } from 'vitest';
import { objectAt, type Json, type JsonObject } from '#base/json.ts';
import { kindOf, nameOf } from '#kube/object.ts';
import { minutes } from '#base/time.ts';
import { planRehearsals, type PlanOptions } from './plan-rehearsals.ts';

const options: PlanOptions = {
  change: { images: new Map([['*', 'app:v2']]) },
  hooks: new Map(),
  isLive: false,
  pods: {},
  approve: { type: 'auto' },
  horizon: minutes(60),
  profile: 'instant',
  fromCluster: undefined,
  isWanted: () => true,
};

type Parts = {
  readonly pod?: JsonObject;
  readonly strategy?: JsonObject;
  readonly spec?: JsonObject;
  readonly more?: JsonObject;
};

const workload = ({ pod = {}, strategy = {}, spec = {}, more = {} }: Parts = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name: 'shop' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'shop' } },
    updateStrategy: { type: 'RollingUpdate', ...strategy },
    template: {
      metadata: { labels: { app: 'shop' } },
      spec: { containers: [{ name: 'app', image: 'app:v1' }], ...pod },
    },
    ...spec,
  },
  ...more,
});

const planOf = (documents: readonly Json[], more: Partial<PlanOptions> = {}) => {
  const [plan] = planRehearsals(documents, { ...options, ...more }).plans;
  if (plan === undefined) throw new Error('there is no plan');
  return plan;
};

test.for<{ readonly name: string; readonly pod: JsonObject; readonly needs: string }>([
  {
    name: 'a ConfigMap of the environment',
    pod: { x: { configMapRef: { name: 'c' } } },
    needs: 'ConfigMap default/c',
  },
  {
    name: 'a key of a Secret',
    pod: { x: { secretKeyRef: { name: 's', key: 'k' } } },
    needs: 'Secret default/s',
  },
  { name: 'a Secret as a volume', pod: { x: [{ secret: { secretName: 's' } }] }, needs: 'Secret default/s' },
  { name: 'a projected Secret', pod: { sources: [{ secret: { name: 's' } }] }, needs: 'Secret default/s' },
  { name: 'a Secret to pull images', pod: { imagePullSecrets: [{ name: 's' }] }, needs: 'Secret default/s' },
])('$name that is missing is named', ({ pod, needs }) => {
  const warning = `GameDeployment shop needs ${needs}, which is not in the manifests: pods would not start without it; add its file with -f`;
  expect(planOf([workload({ pod })]).warnings).toContain(warning);
  const [kind, path = ''] = needs.split(' ');
  const given = { apiVersion: 'v1', kind: kind ?? '', metadata: { name: path.split('/')[1] ?? '' } };
  expect(planOf([workload({ pod }), given]).warnings).toEqual([]);
});

test('what need not exist is not named', () => {
  const pod = { x: { configMapRef: { name: 'c', optional: true } }, serviceAccountName: 'default' };
  const { warnings, assumptions } = planOf([workload({ pod })]);
  expect({ warnings, assumptions }).toEqual({ warnings: [], assumptions: [] });
});

test('a ServiceAccount and a claim have stand-ins: no pod would start without them', () => {
  const pod = { serviceAccountName: 'robot', volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] };
  const { objects, assumptions } = planOf([workload({ pod })]);
  expect(objects.map((each) => `${kindOf(each)} ${nameOf(each)}`)).toEqual([
    'ServiceAccount robot',
    'PersistentVolumeClaim data',
  ]);
  expect(assumptions[0]).toMatch(
    /ServiceAccount default\/robot .* was assumed to exist: add its file with -f/,
  );
});

test('Secrets of a cluster are not read, so they are assumed to exist', () => {
  const pod = { imagePullSecrets: [{ name: 's' }] };
  const { warnings, assumptions } = planOf([workload({ pod })], { fromCluster: 'default' });
  expect(warnings).toEqual([]);
  expect(assumptions[0]).toMatch(/^Secret default\/s of GameDeployment shop was assumed to exist/);
});

test('pods fit on simulated nodes', () => {
  const pod = { nodeSelector: { disk: 'fast' }, affinity: { podAntiAffinity: {} } };
  const plan = planOf([workload({ pod })]);
  expect(plan.assumptions).toEqual([
    'pods were assumed to fit on nodes: nodeSelector, affinity had no effect',
  ]);
  for (const spec of [plan.spec, plan.workload['spec']])
    expect(Object.keys(objectAt(spec, 'template', 'spec') ?? {})).toEqual(['containers']);
});

const pauseOf = (reason: string): JsonObject => ({ status: { pauseConditions: [{ reason }] } });
const pausedIn = (value: Json | undefined): Json | undefined => objectAt(value, 'updateStrategy')?.['paused'];

test.for<{ readonly name: string; readonly more: JsonObject; readonly isPaused: boolean }>([
  { name: 'a manifest', more: {}, isPaused: true },
  { name: 'a user', more: pauseOf('PausedByUser'), isPaused: true },
  { name: 'a step', more: pauseOf('PausedByCanaryPauseStep'), isPaused: false },
])('paused by $name: the first version is not, the release may be', ({ more, isPaused }) => {
  const { workload: before, spec } = planOf([workload({ strategy: { paused: true }, more })]);
  expect(pausedIn(before['spec'])).toBeUndefined();
  expect(pausedIn(spec)).toBe(isPaused ? true : undefined);
});

test('of two objects with the same name the last one counts', () => {
  const { plans } = planRehearsals([workload(), workload({ spec: { replicas: 9 } })], options);
  expect(plans.map(({ spec }) => spec['replicas'])).toEqual([9]);
});

test.for<{
  readonly name: string;
  readonly document: JsonObject;
  readonly says: RegExp;
  readonly replicas?: number;
}>([
  { name: 'no name', document: { ...workload(), metadata: {} }, says: /a GameDeployment has no name/ },
  {
    name: 'an unknown version',
    document: { ...workload(), apiVersion: 'tkex.tencent.com/v9' },
    says: /has apiVersion tkex.tencent.com\/v9: write apiVersion: tkex.tencent.com\/v1alpha1/,
  },
  { name: 'no containers', document: workload({ pod: { containers: [] } }), says: /has no containers/ },
  { name: 'no change', document: workload(), says: /changes nothing/, replicas: 3 },
])('$name ends the command', ({ document, says, replicas }) => {
  const change = replicas === undefined ? options.change : { images: new Map<string, string>(), replicas };
  expect(() => planRehearsals([document], { ...options, change })).toThrow(says);
});

test('pods that already run do not begin to crash', () => {
  const change = { images: new Map<string, string>(), replicas: 9 };
  expect(() => planRehearsals([workload()], { ...options, change, pods: { crash: 1 } })).toThrow(
    '--pods is for containers with new images, and no image is changed: give --change image=app:v2 too',
  );
});

test('a namespace without workloads is named', () => {
  expect(() => planRehearsals([], { ...options, fromCluster: 'game' })).toThrow(
    'there is no GameDeployment or GameStatefulSet in namespace game of the cluster: add one with -f',
  );
});

test('a workload that the change leaves as it is, is left out', () => {
  const more = { metadata: { name: 'other' } };
  const change = { images: new Map<string, string>(), replicas: 3 };
  const { plans, unchanged } = planRehearsals([workload(), workload({ more, spec: { replicas: 4 } })], {
    ...options,
    change,
  });
  expect(plans.map((plan) => nameOf(plan.workload))).toEqual(['other']);
  expect(unchanged).toEqual(['GameDeployment shop']);
  expect(() => planRehearsals([workload(), workload({ more })], { ...options, change })).toThrow(
    '--change changes nothing: GameDeployment shop, GameDeployment other are like that already',
  );
});

test.for([
  { replicas: 1, change: '1 replica' },
  { replicas: 0, change: '0 replicas' },
])('$change', ({ replicas, change }) => {
  const wanted = { images: new Map<string, string>(), replicas };
  expect(planOf([workload()], { change: wanted }).change).toBe(change);
});
