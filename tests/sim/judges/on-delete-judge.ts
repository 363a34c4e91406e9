import { textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  nameOf,
  namespaceOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { keyOf } from '#loop/delta.ts';
import { leavingAnnotation, revisionLabel } from '#releases/model/well-known.ts';
import { UnseenPods, type Received } from '../../support/unseen-pods.ts';
import type { ServerChange } from '../sim-server.ts';

export type OnDeleteGiven = {
  /** Whether the controller asked for the deletion of a pod. */
  readonly isOurDeletion: (pod: KubeObject) => boolean;
  /** When a write of the pod that arrives late now was sent. */
  readonly sentAt: (pod: KubeObject) => Instant | undefined;
  /** The numbers of replicas of a workload that the controller may still know of. */
  readonly replicasOf: (workload: string) => readonly number[];
};

/**
 * With OnDelete the controller changes no pod, makes none above the replicas, and deletes only those that are too many or
 * have ended.
 */
export class OnDeleteJudge {
  readonly complaints: string[] = [];
  readonly judged = { onDelete: 0 };
  readonly #given: OnDeleteGiven;
  /** Workloads with OnDelete by uid. */
  readonly #workloads = new Map<string, KubeObject>();
  /** Their pods that are there and not on their way out, by uid. */
  readonly #pods = new Map<string, Map<string, KubeObject>>();

  readonly #losses = new UnseenPods();
  /** Pods that arrived late. */
  readonly #late = new UnseenPods();

  constructor(given: OnDeleteGiven) {
    this.#given = given;
  }

  /** The controller has seen everything up to this time. */
  calm(until: Instant): void {
    this.#losses.calm(until);
    this.#late.calm(until);
  }

  see(change: ServerChange, now: Instant): void {
    const { type, storage, object } = change;
    if (storage.startsWith('tkex.tencent.com/game')) this.#seeWorkload(type, object);
    if (storage !== '/pods') return;
    const workload = this.#workloads.get(controllerOf(object)?.uid ?? '');
    if (workload !== undefined) this.#seePod(workload, change, now);
  }

  #seePod(workload: KubeObject, { type, object, before, received }: ServerChange, now: Instant): void {
    const owner = uidOf(workload);
    const active = this.#pods.get(owner) ?? new Map<string, KubeObject>();
    this.#pods.set(owner, active);
    const staying = [...active.values()].filter((each) => !isLeaving(each)).length;
    const isGone = type === 'DELETED' || isDeleting(object);
    if (!isGone && !hasEnded(object)) active.set(uidOf(object), object);
    else if (active.delete(uidOf(object)) && !this.#isDecided(object))
      this.#losses.note(owner, object, object, now);
    if (isDeleting(workload)) return;
    if (before === undefined && this.#given.sentAt(object) !== undefined)
      this.#late.note(owner, object, object, now);
    else if (before === undefined) this.#judgeNew({ workload, pod: object }, active, received);
    else
      this.#judge(
        { workload, before, pod: object, isGone },
        { staying, unseen: this.#losses.unseen(owner, received).length },
      );
  }

  #judgeNew(
    { workload, pod }: { readonly workload: KubeObject; readonly pod: KubeObject },
    active: ReadonlyMap<string, KubeObject>,
    received: Received | undefined,
  ): void {
    const most = Math.max(...this.#given.replicasOf(keyOf(workload)));
    const staying = [...active.values()].filter((each) => !isLeaving(each)).length;
    const late = this.#late.unseen(uidOf(workload), received).length;
    const count = isStateful(workload) ? ordinalOf(pod) + 1 : staying - late;
    if (count > most)
      this.complaints.push(
        `Pod ${namespaceOf(pod)}/${nameOf(pod)} is above the replicas, though its workload is OnDelete`,
      );
  }

  /** A deletion that arrives late counts as one by somebody else. */
  #isDecided(pod: KubeObject): boolean {
    return this.#given.isOurDeletion(pod) && this.#given.sentAt(pod) === undefined;
  }

  #seeWorkload(type: ServerChange['type'], workload: KubeObject): void {
    const isOnDelete = textAt(workload, 'spec', 'updateStrategy', 'type') === 'OnDelete';
    if (type === 'DELETED' || !isOnDelete) this.#workloads.delete(uidOf(workload));
    else this.#workloads.set(uidOf(workload), workload);
  }

  #judge(
    {
      workload,
      before,
      pod,
      isGone,
    }: {
      readonly workload: KubeObject;
      readonly before: KubeObject;
      readonly pod: KubeObject;
      readonly isGone: boolean;
    },
    { staying, unseen }: { readonly staying: number; readonly unseen: number },
  ): void {
    const name = `Pod ${namespaceOf(pod)}/${nameOf(pod)}`;
    if (labelsOf(before)[revisionLabel] !== labelsOf(pod)[revisionLabel])
      this.complaints.push(`${name} was updated, though its workload is OnDelete`);
    if (!isStaying(before)) return;
    const isDeleted = isGone && this.#isDecided(before);
    const isChosen = !isGone && isLeaving(pod);
    if (!isDeleted && !isChosen) return;
    this.judged.onDelete += 1;
    const least = Math.min(...this.#given.replicasOf(keyOf(workload)));
    const isTooMany = isStateful(workload) ? ordinalOf(pod) >= least : staying + unseen > least;
    if (!isTooMany)
      this.complaints.push(
        `${name} was ${isDeleted ? 'deleted' : 'chosen'} by the controller, though its workload is OnDelete`,
      );
  }
}

const isStateful = (workload: KubeObject): boolean => textAt(workload, 'kind') === 'GameStatefulSet';
const ordinalOf = (pod: KubeObject): number => Number(nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1));
const isLeaving = (pod: KubeObject): boolean =>
  ['scale-down', 'requested'].includes(annotationsOf(pod)[leavingAnnotation] ?? '');
/** Who was chosen when there were too many goes later; the choice itself is judged. */
const isStaying = (pod: KubeObject): boolean => !isDeleting(pod) && !hasEnded(pod) && !isLeaving(pod);
const hasEnded = (pod: KubeObject): boolean =>
  ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase') ?? '');
