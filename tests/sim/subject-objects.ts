import { listAt, objectAt, type JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { SubjectKind, SubjectPlan } from './plan-subjects.ts';

const apiVersion = 'tkex.tencent.com/v1alpha1';

export const resources: Readonly<Record<SubjectKind, Resource>> = {
  GameDeployment: gameDeployments,
  GameStatefulSet: gameStatefulSets,
  HookRun: hookRuns,
};

export const storages: Readonly<Record<SubjectKind, string>> = {
  GameDeployment: 'tkex.tencent.com/gamedeployments',
  GameStatefulSet: 'tkex.tencent.com/gamestatefulsets',
  HookRun: 'tkex.tencent.com/hookruns',
};

/** Names of workloads; a second one is in the same namespace. */
export type WorkloadName = 'g' | 'k';
const workloadNames: readonly WorkloadName[] = ['g', 'k'];

export const workloadOf = (
  { kind, spec }: SubjectPlan,
  { namespace, name }: { readonly namespace: string; readonly name: WorkloadName },
): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app: name } }, template: templateOf('1', { name }), ...spec },
});

export const templateOf = (
  tag: string,
  { env, name = 'g' }: { readonly env?: string | undefined; readonly name?: WorkloadName } = {},
): JsonObject => ({
  metadata: { labels: { app: name } },
  spec: {
    containers: [
      { name: 'c', image: `app:${tag}`, ...(env === undefined ? {} : { env: [{ name: 'E', value: env }] }) },
    ],
    terminationGracePeriodSeconds: 1,
  },
});

const metricOf = (namespace: string, name = 'age'): JsonObject => ({
  name,
  successCondition: 'asInt(result) < 30',
  provider: {
    web: { url: `http://hooks.example/${namespace}`, jsonPath: '{$.age}', timeoutSeconds: 2 },
  },
});

/** A web hook that passes while the age is below 30. */
export const hookTemplateOf = (namespace: string): JsonObject => ({
  apiVersion,
  kind: 'HookTemplate',
  metadata: { name: 'age', namespace },
  spec: { metrics: [metricOf(namespace)] },
});

/** The metrics of a hook run; the fields of `edit` replace those of the first one. */
export const metricsOf = (
  spec: JsonObject,
  namespace: string,
  edit: JsonObject = {},
): readonly JsonObject[] =>
  listAt(spec, 'metrics').map((fields, at) => ({
    ...metricOf(namespace, at === 0 ? 'age' : `age-${at + 1}`),
    ...objectAt(fields),
    ...(at === 0 ? edit : {}),
  }));

export const hookRunOf = ({ spec }: SubjectPlan, namespace: string, name: string): JsonObject => ({
  apiVersion,
  kind: 'HookRun',
  metadata: { name, namespace },
  spec: { metrics: metricsOf(spec, namespace) },
});

export const budgetOf = (spec: JsonObject, namespace: string): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace },
  spec: { ...spec, selector: { matchExpressions: [{ key: 'app', operator: 'In', values: workloadNames }] } },
});
