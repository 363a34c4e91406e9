import { objectAt, type JsonObject } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { below, pick } from './choice.ts';

export type SubjectKind = 'GameDeployment' | 'GameStatefulSet' | 'HookRun';

/** A workload, or a kind of hook run that is made anew in every round. */
export type SubjectPlan = {
  readonly kind: SubjectKind;
  /** Of a hook run: `metrics` has the fields of each metric. */
  readonly spec: JsonObject;
  /** The spec of a PodDisruptionBudget for its pods, without the selector. */
  readonly budget?: JsonObject;
  /** It is in the namespace of the subject before it, whose budget protects its pods too. */
  readonly sharesBudget?: boolean;
};

const hook = { hook: { templateName: 'age' } };

/** Steps of releases. */
export const walks: readonly (readonly JsonObject[])[] = [
  [{ partition: 3 }, hook, { partition: 1 }, { pause: {} }],
  [hook, { partition: '50%' }, { pause: { duration: 2 } }, hook],
  [{ partition: '80%' }, { pause: {} }],
  [{ partition: 1 }, { hook: { templateName: 'age', onFailure: 'Abort' } }],
  [],
];

/** Which hooks pods have. */
const deadline = (onDeadline: string): JsonObject => ({ deadlineSeconds: 6, onDeadline });
const hookFields: readonly JsonObject[] = [
  {},
  {},
  { preDeleteUpdateStrategy: hook },
  { preDeleteUpdateStrategy: { ...hook, ...deadline('Proceed') } },
  { preDeleteUpdateStrategy: { ...hook, ...deadline('Block') } },
  { preDeleteUpdateStrategy: { ...hook, enforce: 'Always' } },
  { preDeleteUpdateStrategy: { ...hook, enforce: 'Always', ...deadline('Proceed') } },
  { preDeleteUpdateStrategy: { ...hook, coversInplace: false } },
  { preInplaceUpdateStrategy: { ...hook, ...deadline('Proceed') } },
  { preInplaceUpdateStrategy: hook, postInplaceUpdateStrategy: hook, preDeleteUpdateStrategy: hook },
];

export function planSubject(random: Random): SubjectPlan {
  const lot = random.next();
  if (lot < 0.1) return { kind: 'HookRun', spec: { metrics: [metricFields(random)] } };
  const kind = lot < 0.65 ? 'GameDeployment' : 'GameStatefulSet';
  const spec = kind === 'GameDeployment' ? deploymentSpec(random) : statefulSpec(random);
  return random.next() < 0.7 ? { kind, spec } : protectedBy(random, kind, spec);
}

/** With a budget mostly one that allows less than the release itself would. */
function protectedBy(random: Random, kind: SubjectKind, spec: JsonObject): SubjectPlan {
  const budget = pick<JsonObject>(random, [
    { maxUnavailable: 1 },
    { maxUnavailable: 1 },
    { minAvailable: 2 },
    { maxUnavailable: '40%' },
  ]);
  return { kind, spec: updatedInPlace(random, kind, spec), budget };
}

function updatedInPlace(random: Random, kind: SubjectKind, spec: JsonObject): JsonObject {
  const limits = { maxUnavailable: pick(random, [2, 3]), maxSurge: 0 };
  const updateStrategy = {
    ...objectAt(spec, 'updateStrategy'),
    type: 'InplaceUpdate',
    ...(kind === 'GameStatefulSet' ? { rollingUpdate: limits } : limits),
  };
  return { ...spec, replicas: pick(random, [3, 4, 5]), updateStrategy };
}

/** A workload whose release would restart more pods than most budgets allow. */
export const inPlaceSpec = (random: Random, kind: SubjectKind): JsonObject =>
  updatedInPlace(random, kind, kind === 'GameStatefulSet' ? statefulSpec(random) : deploymentSpec(random));

const replicas = (random: Random): number => pick(random, [2, 3, 3, 4, 5]);
const updateType = (random: Random): string =>
  pick(random, [
    'InplaceUpdate',
    'InplaceUpdate',
    'RollingUpdate',
    'RollingUpdate',
    'InplaceIfPossible',
    'HotPatchUpdate',
  ]);

const common = (random: Random): JsonObject => ({
  type: updateType(random),
  ...(random.next() < 0.15 ? { resumePolicy: 'Approval' } : {}),
  inPlaceUpdateStrategy: { gracePeriodSeconds: pick(random, [0, 0, 1]) },
  // Nodes of the embedded server have no label for it.
  hotPatchStrategy: { force: true },
});

/** A third of the releases have no steps. */
const canary = (random: Random): JsonObject =>
  random.next() < 0.7 ? { canary: { steps: pick(random, walks.slice(0, 4)) } } : {};

const deploymentSpec = (random: Random): JsonObject => ({
  replicas: replicas(random),
  minReadySeconds: pick(random, [0, 0, 2]),
  updateStrategy: {
    ...common(random),
    maxUnavailable: pick(random, [1, 2, '25%', '50%']),
    maxSurge: pick(random, [0, 1, '50%']),
    ...canary(random),
  },
  ...pick(random, hookFields),
});

const statefulSpec = (random: Random): JsonObject => ({
  replicas: replicas(random),
  serviceName: 'g',
  podManagementPolicy: pick(random, ['OrderedReady', 'Parallel', 'Parallel']),
  updateStrategy: {
    ...common(random),
    rollingUpdate: { maxUnavailable: pick(random, [1, 2, '50%']), maxSurge: pick(random, [0, 0, 1]) },
    ...canary(random),
  },
  ...pick(random, hookFields),
});

/** Fields of a metric whose verdict depends on several calls. */
export function metricFields(random: Random): JsonObject {
  const interval = `${1 + below(random, 3)}s`;
  const count = 1 + below(random, 5);
  const limits = {
    failureLimit: below(random, 3),
    ...(random.next() < 0.3 ? { consecutiveErrorLimit: below(random, 3) } : {}),
    ...(random.next() < 0.3 ? { successfulLimit: 1 + below(random, 3) } : {}),
    ...(random.next() < 0.3
      ? { inconclusiveLimit: below(random, 2), failureCondition: 'asInt(result) > 95' }
      : {}),
  };
  // Limits beyond the count are refused.
  return { interval, count: Math.max(count, limits.failureLimit, limits.successfulLimit ?? 0), ...limits };
}
