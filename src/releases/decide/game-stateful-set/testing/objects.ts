import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { JsonObject } from '#base/json.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import {
  gateType,
  leavingAnnotation,
  preDeleteFinalizer,
  revisionLabel,
} from '#releases/model/well-known.ts';
import { annotationsOf, labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { noon, podOf, workloadOf } from '#kube/workload/testing/objects.ts';
import { decideGameStatefulSet } from '#releases/decide/game-stateful-set/decide.ts';
import { podFor } from '#releases/decide/game-stateful-set/identity.ts';
import type { StatefulSnapshot } from '#releases/decide/game-stateful-set/snapshot.ts';
import type { Decision } from '#releases/decide/snapshot.ts';

/** Templates by the name of their revision. */
const templates: Readonly<Record<string, JsonObject>> = {
  old: template('img:1'),
  new: template('img:2'),
  third: template('img:3'),
  env: template('img:2', { env: [{ name: 'A', value: '1' }] }),
};

function template(image: string, more: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image, ...more }] } };
}

export const revisionOf = (name: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name, namespace: 'default' },
  data: { spec: { template: templates[name] ?? {} } },
  revision: Object.keys(templates).indexOf(name) + 1,
});

const hook: HookTemplate = {
  metadata: { name: 'test', namespace: 'default' },
  spec: { metrics: [{ name: 'webtest', provider: { web: { url: 'http://localhost:9091' } } }] },
} as unknown as HookTemplate;

export const parallel = { podManagementPolicy: 'Parallel' } as const;

export function setOf(spec: JsonObject, status: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  const usual = { replicas: 5, serviceName: 'web', podManagementPolicy: 'OrderedReady', ...spec };
  const made = workloadOf('GameStatefulSet', 'web', usual, { status, metadata });
  return { ...made, apiVersion: 'tkex.tencent.com/v1alpha1' };
}

/** A pod in words: its ordinal, its revision, and what is special about it. */
export function podFrom(set: KubeObject, text: string, more: JsonObject = {}): KubeObject {
  const [ordinal = '0', revision = 'new', ...words] = text.split(' ');
  const is = (word: string): boolean => words.includes(word);
  const leaving = words.find((word) => word.startsWith('leaving='))?.slice('leaving='.length);
  const made = podFor(set, revisionOf(revision), Number(ordinal), {
    hasGate: !is('gateless'),
    hasFinalizer: is('held'),
    isSurge: is('surge'),
  });
  const pod = podOf({
    name: `${nameOf(set)}-${ordinal}`,
    labels: is('unlabelled') ? { app: 'x', [revisionLabel]: revision } : labelsOf(made),
    annotations: {
      ...(leaving === undefined ? {} : { [leavingAnnotation]: leaving }),
      ...annotationsOf(made),
    },
    isDeleting: is('deleting'),
    node: 'node-1',
    ip: '10.0.0.1',
    phase: is('failed') ? 'Failed' : is('pending') ? 'Pending' : 'Running',
    ...(is('held') ? { finalizers: [preDeleteFinalizer] } : {}),
    ...(['unready', 'failed', 'pending'].some(is) ? {} : { readyAt: 0 }),
    spec: { ...(made['spec'] as JsonObject), ...(is('volumeless') ? { volumes: [] } : {}) },
  });
  const metadata = { ...(pod['metadata'] as JsonObject), ownerReferences: [], ...more };
  return { ...pod, metadata, status: { ...(pod['status'] as JsonObject), ...statusOf(pod, is) } };
}

function statusOf(pod: KubeObject, is: (word: string) => boolean): JsonObject {
  const { conditions } = pod['status'] as { readonly conditions: readonly JsonObject[] };
  const gate = { type: gateType, status: is('shut') ? 'False' : 'True' };
  return {
    conditions: is('gateless') || is('ungated') ? conditions : [...conditions, gate],
    containerStatuses: [
      { name: 'c', imageID: 'id', containerID: 'c1', restartCount: 0, state: { running: {} } },
    ],
  };
}

export const snapshotOf = (
  set: KubeObject,
  pods: readonly KubeObject[],
  more: Partial<StatefulSnapshot> = {},
): StatefulSnapshot => ({
  workload: set,
  updateRevision: revisionOf('new'),
  revisions: Object.keys(templates).map(revisionOf),
  pods,
  runs: [],
  isRunName: () => false,
  template: (name) => (name === 'test' ? hook : undefined),
  node: () => ({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
  budgets: [],
  isNamespaceEnding: false,
  claim: () => undefined,
  hostIP: '',
  now: noon,
  ...more,
});

export const decide = (snapshot: StatefulSnapshot): Decision =>
  decideGameStatefulSet(snapshot, snapshot.workload['spec'] as unknown as GameStatefulSet['spec']);

/** Acts in words. */
export function told(action: ReleaseAction): string {
  if ('run' in action) return `${runWords[action.type]} ${nameOf(action.run)}`;
  return 'pod' in action ? `${podWord(action)} ${nameOf(action.pod)}${madeOf(action)}` : action.type;
}

const runWords = { 'create-run': 'ask', 'terminate-run': 'stop', 'delete-run': 'forget' } as const;

type PodAction = Extract<ReleaseAction, { readonly pod: KubeObject }>;

function podWord(action: PodAction): string {
  switch (action.type) {
    case 'create-pod':
      return 'create';
    case 'delete-pod':
      return action.isForced === true ? 'force delete' : 'delete';
    case 'patch-pod':
      return patchWord(action.patch, action.event);
    case 'set-gate':
      return action.isOpen ? 'open' : 'shut';
    case 'begin-in-place':
      return 'in place';
    case 'break-glass':
      return 'break glass';
  }
}

function madeOf(action: PodAction): string {
  if (action.type !== 'create-pod') return '';
  const revision = labelsOf(action.pod)[revisionLabel] ?? '';
  const claims = action.claims.map(nameOf);
  return claims.length === 0 ? ` ${revision}` : ` ${revision} after ${claims.join(' ')}`;
}

type Marks = Readonly<Record<string, string | null>>;

function patchWord(patch: JsonObject, event: string | undefined): string {
  if (event !== undefined) return event;
  const { annotations, labels } = patch['metadata'] as Readonly<Record<string, Marks | undefined>>;
  if (labels !== undefined) return 'label';
  if (annotations === undefined) return 'finalizer';
  const leaving = annotations[leavingAnnotation];
  if (leaving === undefined) return 'annotate';
  return leaving === null ? 'unmark' : `mark ${leaving}`;
}
