import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { originOf } from '#releases/model/run-labels.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { readStep } from '#releases/model/read.ts';
import { stepHashOf, walkedSteps } from '#releases/decide/steps/step-hash.ts';
import { hotPatchNodeLabel, nodeCostAnnotation } from '#releases/model/well-known.ts';
import { annotationsOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import {
  actAnnotation,
  actTargetOf,
  printAct,
  type ActTarget,
  type ReleaseAct,
} from '#releases/model/act.ts';
import { after } from '#kube/workload/testing/objects.ts';
import { podFrom, type PodShort } from './pod-short.ts';
import { runFrom, type RunShort } from './run-short.ts';

/** A situation as a case tells it. Times are seconds after noon. */
export type Given = {
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  /** The status it had; a step, a hash and revisions are filled in where `step` is given. */
  readonly status?: JsonObject;
  /** Nothing was ever written to its status. */
  readonly isFresh?: boolean;
  /** At this step, on the way from `stable`. */
  readonly step?: number;
  readonly stable?: string;
  /** Oldest first; with a change of the pod template for each. */
  readonly revisions?: Readonly<Record<string, JsonObject>>;
  /** The revision of the template; the newest unless given. */
  readonly update?: string;
  readonly pods?: readonly PodShort[];
  readonly runs?: readonly RunShort[];
  readonly templates?: Readonly<Record<string, JsonObject>>;
  readonly nodes?: Readonly<Record<string, { readonly cost?: string; readonly hotPatch?: boolean }>>;
  /** A request of a user with the id r1, meant for the status unless its target says otherwise. */
  readonly act?: Partial<Omit<ReleaseAct, 'target'>> & { readonly target?: Partial<ActTarget> };
  /** How many disruptions budgets still allow; no budget unless given. */
  readonly disruptions?: number;
  /** Own pods are not seen yet. */
  readonly isBehind?: boolean;
  readonly now?: number;
};

export type CaseSnapshot = { readonly snapshot: WorkloadSnapshot; readonly spec: GameDeployment['spec'] };

const web = { web: { url: 'http://127.0.0.1:9091', jsonPath: '{$.age}' } };
const hookTemplate = (spec: JsonObject = {}): HookTemplate =>
  ({ spec: { metrics: [{ name: 'webtest', provider: web }], ...spec } }) as unknown as HookTemplate;

export function snapshotFromCase(given: Given): CaseSnapshot {
  const { revisions: named = { old: {}, new: {} }, templates = {}, nodes = {} } = given;
  const revisions = Object.entries(named).map(([name, change], at) => revisionFrom(name, change, at + 1));
  const update = revisions.find((each) => nameOf(each) === given.update) ?? revisions.at(-1);
  if (update === undefined) throw new Error('a case needs a revision');
  const workload = withAct(workloadFrom(given, update), given.act);
  const runs = (given.runs ?? []).map((run) => runFrom(run, workload));
  const names = new Set(runs.map(nameOf));
  const snapshot: WorkloadSnapshot = {
    workload,
    updateRevision: update,
    revisions,
    pods: (given.pods ?? []).map((pod) => podFrom(pod, workload)),
    runs: runs.filter((run) => originOf(run).point !== ''),
    isRunName: (name) => names.has(name),
    template: (name) => (templates[name] === undefined ? undefined : hookTemplate(templates[name])),
    node: (name) => nodeFrom(name, nodes[name]),
    isNamespaceEnding: false,
    budgets: [{ protects: () => true, left: given.disruptions ?? Infinity, paid: new Set() }],
    hostIP: '',
    isBehind: given.isBehind === true,
    now: momentOf(given),
  };
  return { snapshot, spec: workload['spec'] as unknown as GameDeployment['spec'] };
}

const momentOf = ({ now = 0 }: Given): Instant => after(now);

function nodeFrom(
  name: string,
  given: { readonly cost?: string; readonly hotPatch?: boolean } = {},
): KubeObject {
  return {
    metadata: {
      name,
      labels: given.hotPatch === true ? { [hotPatchNodeLabel]: 'true' } : {},
      annotations: given.cost === undefined ? {} : { [nodeCostAnnotation]: given.cost },
    },
  };
}

/** The template of a revision: one container, whose image is named after it. */
function revisionFrom(name: string, change: JsonObject, number: number): KubeObject {
  const template = merged(
    {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: `image:${name}` }] },
    },
    change,
  );
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name, namespace: 'default' },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: number,
  };
}

function workloadFrom(given: Given, update: KubeObject): KubeObject {
  const spec = {
    selector: { matchLabels: { app: 'x' } },
    template: objectAt(update, 'data', 'spec', 'template') ?? {},
    ...given.spec,
  };
  return {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'GameDeployment',
    metadata: { name: 'gd', namespace: 'default', uid: 'uid-gd', generation: 7, ...given.metadata },
    spec,
    status: given.isFresh === true ? {} : merged(statusFrom(given, spec, nameOf(update)), given.status ?? {}),
  };
}

function withAct(workload: KubeObject, given: Given['act']): KubeObject {
  if (given === undefined) return workload;
  const target = { ...actTargetOf(workload), ...given.target };
  const act: ReleaseAct = { id: 'r1', verb: 'promote', by: '', time: '', ...given, target };
  return withMeta(workload, { annotations: { ...annotationsOf(workload), [actAnnotation]: printAct(act) } });
}

function statusFrom({ step, stable = 'old' }: Given, spec: JsonObject, update: string): JsonObject {
  if (objectAt(spec, 'updateStrategy', 'canary') === undefined) return { updateRevision: update };
  const steps = listAt(spec, 'updateStrategy', 'canary', 'steps').map((each) => readStep(each as never));
  return {
    updateRevision: update,
    currentStepHash: stepHashOf(steps),
    ...(step === undefined
      ? {}
      : {
          currentStepIndex: step,
          canary: {
            revision: stable,
            releaseID: 'first',
            walkedSteps: walkedSteps(steps, step),
          },
        }),
  };
}

function merged(base: JsonObject, change: JsonObject): JsonObject {
  const entries = Object.entries(change).map(([key, value]): readonly [string, Json] => {
    const before = base[key];
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
