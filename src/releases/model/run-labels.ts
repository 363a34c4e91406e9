import { labelsOf, type KubeObject } from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';

/** When a hook runs. */
export const hookPoints = ['canary-step', 'pre-delete', 'pre-inplace', 'post-inplace'] as const;
export type HookPoint = (typeof hookPoints)[number];

/** The values of the label `<kind>-type`, as in the original operators. */
const seedTypes: Readonly<Record<HookPoint, string>> = {
  'canary-step': 'Step',
  'pre-delete': 'PreDelete',
  'pre-inplace': 'PreInplace',
  'post-inplace': 'PostInplace',
};

export type RunOrigin = {
  /** The kind of the workload. */
  readonly kind: string;
  readonly workload: string;
  readonly revision: string;
  readonly point: HookPoint;
  readonly step?: number;
  /** Identifies one walk through the steps. */
  readonly release?: string;
  /** Number of the retry of the hook of the step; 0 or undefined for the first run. */
  readonly retry?: number;
  /** The id or ordinal of a pod. */
  readonly instance?: string;
  /** An ordinal says only which place it is about: the next pod there has another uid. */
  readonly podUid?: string;
};

/** The labels of a HookRun: those of the original operators, and a set that is the same for all kinds. */
export function runLabels(origin: RunOrigin): Readonly<Record<string, string>> {
  const { kind, workload, revision, point, step, release, retry = 0, instance, podUid } = origin;
  const word = kind.toLowerCase();
  return {
    [`${word}-revision`]: fitted(revision),
    [`${word}-type`]: seedTypes[point],
    ...(step === undefined ? {} : { 'step-index': String(step), 'boathook.dev/step': String(step) }),
    ...(release === undefined ? {} : { 'boathook.dev/release': release }),
    ...(retry === 0 ? {} : { 'boathook.dev/retry': String(retry) }),
    ...(instance === undefined ? {} : { 'boathook.dev/instance': instance }),
    ...(podUid === undefined ? {} : { 'boathook.dev/pod-uid': podUid }),
    'boathook.dev/workload-kind': kind,
    'boathook.dev/workload': fitted(workload),
    'boathook.dev/revision': fitted(revision),
    'boathook.dev/hook-point': point,
  };
}

/** The origin in the labels of a HookRun. Names of workloads and revisions are shortened by `fitted`. */
export function originOf(run: KubeObject): {
  /** The kind of the workload. */
  readonly kind: string;
  readonly workload: string;
  readonly point: string;
  readonly revision: string;
  readonly step: string;
  readonly release: string;
  /** Empty for the first run of a step. */
  readonly retry: string;
  /** Of HookRuns of older versions. */
  readonly stepHash: string;
  readonly instance: string;
  /** Empty in HookRuns of older versions. */
  readonly podUid: string;
} {
  const labels = labelsOf(run);
  const label = (name: string): string => labels[`boathook.dev/${name}`] ?? '';
  return {
    kind: label('workload-kind'),
    workload: label('workload'),
    point: label('hook-point'),
    revision: label('revision'),
    step: label('step'),
    release: label('release'),
    retry: label('retry'),
    stepHash: label('step-hash'),
    instance: label('instance'),
    podUid: label('pod-uid'),
  };
}
