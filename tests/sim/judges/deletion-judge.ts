import { listAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import {
  breakGlassAnnotation,
  preDeleteFinalizer,
  revisionLabel,
  workloadUidLabel,
} from '#releases/model/well-known.ts';
import { consentOf, type Consent, type ConsentGiven } from '../../support/release-rules.ts';
import type { ServerChange } from '../sim-server.ts';

/** `latest`: the latest time that a clock of a controller may show. */
type Times = { readonly now: Instant; readonly latest: Instant };

/** A pod as it was before the change. `received`: what the controllers that change it had received. */
type Released = { readonly before: KubeObject; readonly received: ServerChange['received'] };

export type DeletionsGiven = {
  /** A pod was let go because the deadline of its hook proceeds. */
  readonly overdue: (pod: KubeObject, at: Instant) => void;
  /** When a write of the pod that arrives late now was sent. */
  readonly sentAt: (pod: KubeObject) => Instant | undefined;
};

/**
 * A workload that is being deleted and enforces its hook lets each of its pods go only with the consent of the hook. It
 * exists until then. `--cascade=orphan` lets pods live, so nothing is asked.
 */
export class DeletionJudge {
  readonly complaints: string[] = [];
  readonly judged = { lastPods: 0 };
  /** Workloads that are being deleted by uid, as they are now. */
  readonly #going = new Map<string, KubeObject>();
  /** The last run of each pod, by the uids of the workload and the pod, and the revision. */
  readonly #runs = new Map<string, KubeObject>();
  /** The run of the same pod before the last one, and when and by which version it was replaced. */
  readonly #former = new Map<
    string,
    { readonly run: KubeObject; readonly until: Instant; readonly version: number }
  >();
  /** Pods that have ever run. */
  readonly #haveRun = new Set<string>();
  readonly #overdue: DeletionsGiven['overdue'];
  readonly #sentAt: DeletionsGiven['sentAt'];

  constructor({ overdue, sentAt }: DeletionsGiven) {
    this.#overdue = overdue;
    this.#sentAt = sentAt;
  }

  see({ type, storage, object, before }: ServerChange, times: Times): void {
    if (storage === 'tkex.tencent.com/hookruns') {
      // A run that was deleted has had its verdict.
      if (type !== 'DELETED') this.#seeRun(object, times.now);
    } else if (storage.startsWith('tkex.tencent.com/game')) this.#seeWorkload(type, object);
    else if (storage === '/pods') this.#seePod({ type, storage, object, before }, times);
  }

  #seeRun(run: KubeObject, now: Instant): void {
    const key = runKeyOf(run);
    const last = this.#runs.get(key);
    if (last !== undefined && uidOf(last) !== uidOf(run))
      this.#former.set(key, { run: last, until: now, version: Number(resourceVersionOf(run)) });
    this.#runs.set(key, run);
  }

  #seeWorkload(type: ServerChange['type'], workload: KubeObject): void {
    const uid = uidOf(workload);
    const isAsked = isDeleting(workload) && finalizersOf(workload).includes(preDeleteFinalizer);
    // Whoever orphans the pods of a workload later has asked for that too.
    if (type === 'DELETED' || !isAsked || finalizersOf(workload).includes('orphan')) this.#going.delete(uid);
    else this.#going.set(uid, workload);
  }

  #seePod({ type, object, before, received }: ServerChange, times: Times): void {
    if (textAt(object, 'status', 'phase') === 'Running') this.#haveRun.add(uidOf(object));
    if (before === undefined || !isDeleting(before) || !isHeld(before)) return;
    const workload = this.#going.get(controllerOf(before)?.uid ?? '');
    if (workload === undefined || (type !== 'DELETED' && isHeld(object))) return;
    const isAsked = this.#haveRun.has(uidOf(object)) && textAt(before, 'status', 'phase') !== 'Pending';
    if (isAsked) this.#judge(workload, { before, received }, times);
  }

  /**
   * The run by which a write was decided that arrives late, or whose controller had not received the run that replaced it:
   * such as one whose creation arrived late.
   */
  #runBefore(key: string, { before, received }: Released): KubeObject | undefined {
    const former = this.#former.get(key);
    if (former === undefined) return undefined;
    const sentAt = this.#sentAt(before);
    const isLate = sentAt !== undefined && former.until >= sentAt;
    return isLate || (received?.('hookruns') ?? Infinity) < former.version ? former.run : undefined;
  }

  #judge(workload: KubeObject, pod: Released, { now, latest }: Times): void {
    const { before } = pod;
    this.judged.lastPods += 1;
    const keyAt = (point: string): string =>
      [uidOf(workload), point, uidOf(before), fitted(labelsOf(before)[revisionLabel] ?? '')].join(' ');
    const consentBy = (runOf: ConsentGiven['runOf']): Consent =>
      consentOf({ spec: workload, pod: before, how: 'released', runOf, now: latest });
    const consent = consentBy((point) => this.#runs.get(keyAt(point)));
    if (isGlassBroken(workload)) return;
    if (consent === 'overdue') this.#overdue(before, now);
    if (consent === 'refused' && consentBy((point) => this.#runBefore(keyAt(point), pod)) === 'refused')
      this.complaints.push(
        `Pod ${namespaceOf(before)}/${nameOf(before)} of a workload in deletion went without its hook's consent`,
      );
  }
}

/** A user and a reason. */
const isGlassBroken = (workload: KubeObject): boolean =>
  /^[^:]*\S[^:]*:\s*\S/.test(annotationsOf(workload)[breakGlassAnnotation] ?? '');
const finalizersOf = (object: KubeObject): readonly unknown[] => listAt(object, 'metadata', 'finalizers');
const isHeld = (pod: KubeObject): boolean => finalizersOf(pod).includes(preDeleteFinalizer);

/** Runs for pods of a workload that is being deleted have no owner but its label. */
function runKeyOf(run: KubeObject): string {
  const labels = labelsOf(run);
  const of = (name: string): string => labels[`boathook.dev/${name}`] ?? '';
  const owner = controllerOf(run)?.uid ?? labels[workloadUidLabel] ?? '';
  return [owner, of('hook-point'), of('pod-uid'), of('revision')].join(' ');
}
