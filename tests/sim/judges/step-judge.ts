import { listAt, numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { labelsOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { keyOf, objectKey } from '#loop/delta.ts';
import type { ClientCall } from '../faults/around-client.ts';
import type { ServerChange } from '../sim-server.ts';

/** The run of a step, when it became bad, and whether a controller has stopped it: then its phase is no verdict. */
type StepRun = {
  readonly run: KubeObject;
  readonly badAt: Instant | undefined;
  readonly isStopped: boolean;
};

/** How a user lets a release continue; no user of the simulation skips a hook that has no verdict yet. */
export type Approval = 'promote' | 'unpause';

/**
 * A step with a hook is left only after its last run passed, or after a user let the release continue when that run was
 * bad already. With `resumePolicy: Approval` only a promotion does. A run that a controller stopped has not passed; one that
 * a user stopped has.
 */
export class StepJudge {
  readonly complaints: string[] = [];
  readonly judged = { hookSteps: 0, releases: 0 };
  /** Runs of steps by workload, release and step; runs that are gone count as well. */
  readonly #runs = new Map<string, Map<string, StepRun>>();
  /** When a user last let the release of a workload continue, by its key and how. */
  readonly #approved = new Map<string, Instant>();
  /** The steps of each generation of a workload, by its uid. */
  readonly #steps = new Map<string, Map<number, readonly Json[]>>();
  /** Runs that controllers patch right now, by namespace and name; one that is patched twice is in it twice. */
  readonly #patched: string[] = [];

  approve(workload: string, how: Approval, at: Instant): void {
    this.#approved.set(`${workload} ${how}`, at);
  }

  /** A controller patches something. Nobody waits for what is noted here, so it changes no history. */
  patching<Result>({ resource, namespace, name }: ClientCall, go: () => Promise<Result>): Promise<Result> {
    if (resource.plural !== 'hookruns') return go();
    const run = objectKey(namespace, name);
    this.#patched.push(run);
    const end = (): void => void this.#patched.splice(this.#patched.indexOf(run), 1);
    const patched = go();
    patched.then(end, end);
    return patched;
  }

  see(change: ServerChange, at: Instant): void {
    const { type, storage, object, before } = change;
    if (storage === 'tkex.tencent.com/hookruns') this.#seeRun(change, at);
    else if (storage.startsWith('tkex.tencent.com/game')) {
      this.#noteSteps(type, object);
      if (type === 'MODIFIED' && before !== undefined) this.#seeWorkload(before, object);
    }
  }

  #noteSteps(type: ServerChange['type'], workload: KubeObject): void {
    const uid = uidOf(workload);
    if (type === 'DELETED') {
      this.#steps.delete(uid);
      return;
    }
    const known = this.#steps.get(uid) ?? new Map<number, readonly Json[]>();
    this.#steps.set(uid, known);
    known.set(
      numberAt(workload, 'metadata', 'generation') ?? 0,
      listAt(workload, 'spec', 'updateStrategy', 'canary', 'steps'),
    );
  }

  #seeRun({ type, object: run, before }: ServerChange, at: Instant): void {
    const of = (name: string): string => labelsOf(run)[`boathook.dev/${name}`] ?? '';
    if (of('hook-point') !== 'canary-step' || type === 'DELETED') return;
    const key = [controllerOf(run)?.uid ?? '', of('release'), of('step')].join(' ');
    const known = this.#runs.get(key) ?? new Map<string, StepRun>();
    const isBad = badPhases.has(textAt(run, 'status', 'phase') ?? '');
    const last = known.get(uidOf(run)) ?? { badAt: undefined, isStopped: false };
    const isStopped = isNewlyStopped(before, run) && this.#patched.includes(keyOf(run));
    known.set(uidOf(run), {
      run,
      badAt: last.badAt ?? (isBad ? at : undefined),
      isStopped: last.isStopped || isStopped,
    });
    this.#runs.set(key, known);
  }

  #lastRun(workload: KubeObject, step: number): StepRun | undefined {
    const release = textAt(workload, 'status', 'canary', 'releaseID') ?? '';
    const runs = this.#runs.get([uidOf(workload), release, String(step)].join(' '));
    return [...(runs?.values() ?? [])].at(-1);
  }

  #seeWorkload(before: KubeObject, after: KubeObject): void {
    if (isNewRelease(before, after)) this.judged.releases += 1;
    const step = this.#leftHookStep(before, after);
    if (step === undefined) return;
    this.judged.hookSteps += 1;
    const last = this.#lastRun(before, step);
    const phase = last?.isStopped === true ? 'stopped' : (textAt(last?.run, 'status', 'phase') ?? 'missing');
    if (phase === 'Successful' || this.#isApproved(after, last?.badAt)) return;
    this.complaints.push(
      `${keyOf(after)} left step ${step} though its hook run is ${phase} and nobody approved it`,
    );
  }

  #isApproved(workload: KubeObject, badAt: Instant | undefined): boolean {
    if (badAt === undefined) return false;
    const needsPromotion = textAt(workload, 'spec', 'updateStrategy', 'resumePolicy') === 'Approval';
    const counted: readonly Approval[] = needsPromotion ? ['promote'] : ['promote', 'unpause'];
    return counted.some((how) => (this.#approved.get(`${keyOf(workload)} ${how}`) ?? 0) >= badAt);
  }

  /** The hook step that a workload has left for the next one, if it has, by the steps that were decided about. */
  #leftHookStep(before: KubeObject, after: KubeObject): number | undefined {
    const step = numberAt(before, 'status', 'currentStepIndex');
    if (step === undefined || numberAt(after, 'status', 'currentStepIndex') !== step + 1) return undefined;
    const isSame = ['updateRevision', 'currentStepHash'].every(
      (name) => textAt(before, 'status', name) === textAt(after, 'status', name),
    );
    const decided = numberAt(after, 'status', 'observedGeneration') ?? 0;
    const steps = this.#steps.get(uidOf(after))?.get(decided) ?? [];
    return isSame && objectAt(steps[step], 'hook') !== undefined ? step : undefined;
  }
}

const badPhases: ReadonlySet<string> = new Set(['Failed', 'Error', 'Inconclusive']);

/** It has no verdict of its own yet, and is stopped. */
const isNewlyStopped = (before: KubeObject | undefined, after: KubeObject): boolean =>
  before !== undefined && !isTerminated(before) && isTerminated(after) && !isFinal(before);
const isTerminated = (run: KubeObject): boolean => objectAt(run, 'spec')?.['terminate'] === true;
const isFinal = (run: KubeObject): boolean =>
  !['', 'Pending', 'Running'].includes(textAt(run, 'status', 'phase') ?? '');

/** The revision to which pods are updated is another one: a new template, or one from before. */
function isNewRelease(before: KubeObject, after: KubeObject): boolean {
  const revision = textAt(before, 'status', 'updateRevision');
  return revision !== undefined && textAt(after, 'status', 'updateRevision') !== revision;
}
