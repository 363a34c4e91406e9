import { listAt, numberAt, objectAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { labelsOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { keyOf } from '#loop/delta.ts';
import type { ServerChange } from '../sim-server.ts';

type StepRun = { readonly run: KubeObject; readonly madeAt: Instant };

/** A step with a hook is left only after its run passed, or after a user let the release continue. */
export class StepJudge {
  readonly complaints: string[] = [];
  readonly judged = { hookSteps: 0, releases: 0 };
  /** Runs of steps by workload, release and step; runs that are gone count as well. */
  readonly #runs = new Map<string, Map<string, StepRun>>();
  /** When a user last let the release of a workload continue, by its key. */
  readonly #approved = new Map<string, Instant>();

  approve(workload: string, at: Instant): void {
    this.#approved.set(workload, at);
  }

  see({ type, storage, object, before }: ServerChange, at: Instant): void {
    if (storage === 'tkex.tencent.com/hookruns') this.#seeRun(type, object, at);
    else if (type === 'MODIFIED' && before !== undefined && storage.startsWith('tkex.tencent.com/game'))
      this.#seeWorkload(before, object);
  }

  #seeRun(type: ServerChange['type'], run: KubeObject, at: Instant): void {
    const of = (name: string): string => labelsOf(run)[`boathook.dev/${name}`] ?? '';
    if (of('hook-point') !== 'canary-step' || type === 'DELETED') return;
    const key = [controllerOf(run)?.uid ?? '', of('release'), of('step')].join(' ');
    const known = this.#runs.get(key) ?? new Map<string, StepRun>();
    known.set(uidOf(run), { run, madeAt: known.get(uidOf(run))?.madeAt ?? at });
    this.#runs.set(key, known);
  }

  #lastRun(workload: KubeObject, step: number): StepRun | undefined {
    const release = textAt(workload, 'status', 'canary', 'releaseID') ?? '';
    const runs = this.#runs.get([uidOf(workload), release, String(step)].join(' '));
    return [...(runs?.values() ?? [])].at(-1);
  }

  #seeWorkload(before: KubeObject, after: KubeObject): void {
    if (isNewRelease(before, after)) this.judged.releases += 1;
    const step = leftHookStep(before, after);
    if (step === undefined) return;
    this.judged.hookSteps += 1;
    const last = this.#lastRun(before, step);
    const phase = textAt(last?.run, 'status', 'phase') ?? 'missing';
    if (phase === 'Successful' || (this.#approved.get(keyOf(after)) ?? 0) >= (last?.madeAt ?? 1)) return;
    this.complaints.push(
      `${keyOf(after)} left step ${step} though its hook run is ${phase} and nobody approved it`,
    );
  }
}

/** The revision to which pods are updated is another one: a new template, or one from before. */
function isNewRelease(before: KubeObject, after: KubeObject): boolean {
  const revision = textAt(before, 'status', 'updateRevision');
  return revision !== undefined && textAt(after, 'status', 'updateRevision') !== revision;
}

/** The hook step that a workload has left for the next one, if it has. */
function leftHookStep(before: KubeObject, after: KubeObject): number | undefined {
  const step = numberAt(before, 'status', 'currentStepIndex');
  if (step === undefined || numberAt(after, 'status', 'currentStepIndex') !== step + 1) return undefined;
  const isSame = ['updateRevision', 'currentStepHash'].every(
    (name) => textAt(before, 'status', name) === textAt(after, 'status', name),
  );
  const steps = listAt(before, 'spec', 'updateStrategy', 'canary', 'steps');
  return isSame && objectAt(steps[step], 'hook') !== undefined ? step : undefined;
}
