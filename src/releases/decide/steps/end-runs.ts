import { textAt } from '#base/json.ts';
import { isGood, isOver } from '#hooks/decide/run-phase.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { originOf } from '#releases/model/run-labels.ts';
import { stoppedAnnotation } from '#releases/model/well-known.ts';

/** How many finished HookRuns of earlier releases are kept. */
export type KeptRuns = { readonly successful: number; readonly others: number };

export type EndRunsGiven = {
  readonly updateRevision: string;
  readonly releaseId: string | undefined;
  /** Whether the current release is over: its HookRuns count like those of earlier ones. */
  readonly isOver: boolean;
  readonly kept: KeptRuns;
};

/** Terminates open HookRuns, and deletes the oldest finished ones of releases that are over. */
export function endRuns(given: EndRunsGiven, runs: readonly KubeObject[]): readonly ReleaseAction[] {
  const open = runs.filter((run) => !isOver(run) && !isTerminated(run));
  const past = runs.filter((run) => isOver(run) && !isOfRelease(given, run)).toSorted(newestFirst);
  const { successful, others } = given.kept;
  const surplus = [
    ...past.filter(isGood).slice(successful),
    ...past.filter((run) => !isGood(run)).slice(others),
  ];
  return [
    ...open.map((run): ReleaseAction => ({ type: 'terminate-run', run })),
    ...surplus.map((run): ReleaseAction => ({ type: 'delete-run', run })),
  ];
}

/** A HookRun that is stopped ends as Successful: when the controller has stopped it, that is nobody's verdict. */
export const isStoppedByController = (run: KubeObject): boolean =>
  annotationsOf(run)[stoppedAnnotation] !== undefined;

/** Whether the HookRun belongs to the release that is under way. */
function isOfRelease(given: EndRunsGiven, run: KubeObject): boolean {
  if (given.isOver) return false;
  const { revision, release } = originOf(run);
  return revision === fitted(given.updateRevision) && release === (given.releaseId ?? '');
}

const newestFirst = (a: KubeObject, b: KubeObject): number => (ageOf(a) < ageOf(b) ? 1 : -1);
const ageOf = (run: KubeObject): string =>
  `${textAt(run, 'metadata', 'creationTimestamp') ?? ''} ${nameOf(run)}`;

const isTerminated = (run: KubeObject): boolean =>
  (run['spec'] as { readonly terminate?: boolean } | undefined)?.terminate === true;
