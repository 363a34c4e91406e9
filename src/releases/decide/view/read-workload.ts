import { listAt, numberAt, objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { CanaryStepSpec } from '#releases/kinds/canary.ts';
import type { ReleaseRecord } from '#releases/kinds/release-history.ts';

/** The canary steps in the spec of a workload that the server has validated. */
export const canaryStepsOf = (workload: KubeObject): readonly CanaryStepSpec[] =>
  listAt(workload, 'spec', 'updateStrategy', 'canary', 'steps') as unknown as readonly CanaryStepSpec[];

/** The current step, from 0. */
export const stepIndexOf = (workload: KubeObject): number | undefined =>
  numberAt(workload, 'status', 'currentStepIndex');

/** The releases that the status keeps, newest first. */
export const recordsOf = (workload: KubeObject): readonly ReleaseRecord[] =>
  listAt(workload, 'status', 'history') as unknown as readonly ReleaseRecord[];

/** The record of the release under way, or of the last one. */
export const lastRecordOf = (workload: KubeObject): ReleaseRecord | undefined => {
  const id = objectAt(workload, 'status', 'canary')?.['releaseID'];
  const [newest] = recordsOf(workload);
  return newest === undefined || (id !== undefined && newest.releaseID !== id) ? undefined : newest;
};
