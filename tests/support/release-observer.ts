import { listAt, numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import { instant, later, millis, parseTime, seconds, type Instant, type Millis } from '#base/time.ts';
import {
  gateType,
  instanceLabel,
  leavingAnnotation,
  preDeleteFinalizer,
  revisionLabel,
  workloadUidLabel,
} from '#releases/model/well-known.ts';
import { fitted } from '#kube/workload/fitted.ts';
import {
  annotationsOf,
  isDeleting,
  kindOf,
  labelsOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { UnseenPods, type Received } from './unseen-pods.ts';
import { boundsOf, consentOf, type Bounds, type ConsentGiven, type StatusGiven } from './release-rules.ts';

/** One change of the store, in the order of the store. */
export type Seen = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly at: Instant;
  /** The latest time that a clock of a controller may show; without it, `at`. */
  readonly latest?: Instant;
  /** Of the controller that made this change. Where nobody knows, it may have received nothing since it was `calm`. */
  readonly received?: Received | undefined;
};

export type ObserverOptions = {
  /** Whether the controller asked for the deletion of a pod; where nobody knows, it did. */
  readonly isOurDeletion?: (pod: KubeObject) => boolean;
  /** When a write of the pod that arrives now, after its controller gave it up, was sent. */
  readonly sentAt?: (pod: KubeObject) => Instant | undefined;
  /** How long it may take the controller to see that a pod runs, where nobody says when it is `calm`. */
  readonly patience?: Millis;
  /** A pod was deleted, let go or changed because the deadline of its hook proceeds. */
  readonly overdue?: (pod: KubeObject, at: Instant) => void;
};

type PodSeen = Required<Seen> & { readonly received: Received };
type PodChange = Pick<Seen, 'type'> & {
  readonly before: KubeObject;
  readonly pod: KubeObject;
  readonly isGone: boolean;
};
/** A spec, and when and by which resourceVersion of the workload the next one replaced it. */
type KnownSpec = {
  readonly spec: KubeObject;
  readonly replaced?: { readonly at: Instant; readonly version: number };
};
type Workload = {
  readonly object: KubeObject;
  readonly specs: Map<number, KnownSpec>;
  /** The stable revision in the status before, until this resourceVersion of the workload. */
  readonly stableBefore: { readonly revision: string; readonly version: number } | undefined;
};

/**
 * Looks at every change and complains when a release does what it must not: takes more pods out of service than
 * `maxUnavailable` allows, updates beyond the partition of its step, makes more pods than `maxSurge` allows, deletes
 * or changes a pod without its hook's consent, or says that it is paused while it is not. It judges what the
 * controller does, not what befalls it: pods that others take away are excused until the controller has received
 * it, or, where nobody knows that, had the time to (`calm`).
 */
export class ReleaseObserver {
  readonly complaints: string[] = [];
  /** How often each rule had something to judge: a test in which nothing happened proves nothing. */
  readonly judged = { outOfService: 0, updated: 0, made: 0, chosen: 0, consent: 0, paused: 0 };
  readonly #isOurDeletion: (pod: KubeObject) => boolean;
  readonly #workloads = new Map<string, Workload>();
  readonly #pods = new Map<string, KubeObject>();
  /** By the uid of their workload. */
  readonly #podsByOwner = new Map<string, Map<string, KubeObject>>();
  /** By workload, hook point, pod and revision; the last one made is the last. */
  readonly #runs = new Map<string, Map<string, KubeObject>>();
  /** By the same: the last one that was deleted. */
  readonly #goneRuns = new Map<string, { readonly run: KubeObject; readonly at: Instant }>();
  /** The revision of the last pod of each ordinal, by the uid of the workload and the ordinal. */
  readonly #lastOfOrdinal = new Map<string, string>();
  /** Pods that have ever run. */
  readonly #haveRun = new Set<string>();
  /** Pods in service that others took out of it. */
  readonly #losses = new UnseenPods();
  /** Pods that others took away for good. */
  readonly #departures = new UnseenPods();
  /** When pods began to run. */
  readonly #begun = new Map<string, Instant>();
  /** Pods whose creation arrived late, by workload: perhaps not seen yet. */
  readonly #late = new UnseenPods();
  readonly #sentAt: (pod: KubeObject) => Instant | undefined;
  /**
   * The last revisions to which all pods of a workload have come, by uid: a controller goes on with an earlier one until it
   * has seen that all pods have the last.
   */
  readonly #formers = new Map<string, readonly string[]>();
  /** Since when all pods of a workload have had one revision, by uid; none while pods are missing or have several. */
  readonly #whole = new Map<string, Instant>();
  readonly #patience: Millis;
  readonly #overdue: (pod: KubeObject, at: Instant) => void;

  constructor({
    isOurDeletion = () => true,
    sentAt = () => undefined,
    patience = millis(Infinity),
    overdue = () => undefined,
  }: ObserverOptions = {}) {
    this.#isOurDeletion = isOurDeletion;
    this.#sentAt = sentAt;
    this.#patience = patience;
    this.#overdue = overdue;
  }

  /** The controller has seen everything up to this time. */
  calm(until: Instant = instant(Infinity)): void {
    this.#losses.calm(until);
    this.#departures.calm(until);
    this.#late.calm(until);
    for (const [uid, time] of this.#begun) if (time <= until) this.#begun.delete(uid);
    for (const { specs } of this.#workloads.values())
      for (const [generation, known] of specs)
        if (known.replaced !== undefined && known.replaced.at <= until) specs.delete(generation);
    for (const [owner, formers] of this.#formers)
      if (formers.length > 1 && (this.#whole.get(owner) ?? Infinity) <= until)
        this.#formers.set(owner, formers.slice(-1));
  }

  see({ type, object, at, latest = at, received = () => -1 }: Seen): void {
    const kind = kindOf(object);
    if (kind === 'Pod') this.#seePod({ type, object, at, latest, received });
    else if (kind === 'HookRun') this.#seeRun(type, object, at);
    else if (kind === 'GameDeployment' || kind === 'GameStatefulSet') this.#seeWorkload(type, object, at);
  }

  #seeWorkload(type: Seen['type'], object: KubeObject, at: Instant): void {
    const uid = uidOf(object);
    if (type === 'DELETED') {
      this.#workloads.delete(uid);
      return;
    }
    const before = this.#workloads.get(uid);
    const specs = before?.specs ?? new Map<number, KnownSpec>();
    const generation = generationOf(object);
    for (const [number, known] of specs)
      if (number < generation) specs.set(number, { replaced: { at, version: versionOf(object) }, ...known });
    specs.set(generation, { spec: object });
    this.#workloads.set(uid, { object, specs, stableBefore: stableBefore(before, object) });
    if (before !== undefined) this.#judgeStatus(before.object, object);
    this.#noteFormers(uid, at);
  }

  /** All pods have come to one revision, or have had it all the time. */
  #noteFormers(owner: string, now: Instant): void {
    const workload = this.#workloads.get(owner)?.object;
    const active = this.#podsOf(owner).filter(isActive);
    const pods = active.filter(isStaying);
    const replicas = numberAt(workload, 'spec', 'replicas') ?? 1;
    this.#noteWhole(owner, pods.length >= replicas && new Set(active.map(revisionOf)).size === 1, now);
    const [revision, ...others] = new Set(pods.map(revisionOf));
    const released = revision ?? (replicas === 0 ? textAt(workload, 'status', 'updateRevision') : undefined);
    if (released === undefined) return;
    const formers = this.#formers.get(owner) ?? [];
    if (others.length === 0 && pods.length >= replicas && formers.at(-1) !== released)
      this.#formers.set(owner, [...formers, released]);
  }

  #podsOf(owner: string): readonly KubeObject[] {
    return [...(this.#podsByOwner.get(owner)?.values() ?? [])];
  }

  #noteWhole(owner: string, isWhole: boolean, now: Instant): void {
    if (!isWhole) this.#whole.delete(owner);
    else if (!this.#whole.has(owner)) this.#whole.set(owner, now);
  }

  #judgeStatus(before: KubeObject, after: KubeObject): void {
    const reasons = pauseReasonsOf(after);
    if (reasons.length > pauseReasonsOf(before).length) {
      this.judged.paused += 1;
      if (objectAt(after, 'spec', 'updateStrategy')?.['paused'] !== true)
        this.#complain(after, `says ${reasons.join(', ')}, but paused is not true`);
    }
    const [was, is] = [stepOf(before), stepOf(after)];
    // A user who retries an aborted release begins it again.
    const isSameWalk = [
      ['updateRevision'],
      ['currentStepHash'],
      ['canary', 'releaseID'],
      ['canary', 'abortedRevision'],
    ].every((path) => textAt(before, 'status', ...path) === textAt(after, 'status', ...path));
    if (isSameWalk && was !== undefined && is !== undefined && is !== was && is !== was + 1)
      this.#complain(after, `went from step ${was} to step ${is}`);
  }

  #seeRun(type: Seen['type'], run: KubeObject, at: Instant): void {
    const key = runKeyOf(run);
    put(entry(this.#runs, key), type, run);
    if (type === 'DELETED') this.#goneRuns.set(key, { run, at });
  }

  /** The last run there is, or was a moment ago: the controller may not have seen yet that it is gone. */
  #runAt(key: string, now: Instant): KubeObject | undefined {
    const gone = this.#goneRuns.get(key);
    const last = [...(this.#runs.get(key)?.values() ?? [])].at(-1);
    return last ?? (gone !== undefined && now - gone.at <= slowestNews ? gone.run : undefined);
  }

  /** For each run by which a write can have been decided: a late one perhaps by a run that was deleted since. */
  #runsFor(pod: KubeObject, { now, sentAt = now }: PodJudge): readonly ConsentGiven['runOf'][] {
    const owner = controllerOf(pod)?.uid ?? '';
    const keyAt = (point: string): string => [owner, point, uidOf(pod), fitted(revisionOf(pod))].join(' ');
    const last = (point: string): KubeObject | undefined => this.#runAt(keyAt(point), now);
    const gone = (point: string): KubeObject | undefined => {
      const found = this.#goneRuns.get(keyAt(point));
      return found !== undefined && found.at >= sentAt ? found.run : undefined;
    };
    return [last, gone];
  }

  #seePod({ type, object: pod, at, latest, received }: PodSeen): void {
    const before = this.#pods.get(uidOf(pod));
    const owner = controllerOf(pod)?.uid ?? '';
    this.#keepPod(type, pod, before);
    const workload = this.#workloads.get(owner);
    if (workload === undefined || isDeleting(workload.object) || isIrrelevant(type, before, pod)) return;
    const pods = this.#podsOf(owner);
    const judge = new PodJudge(workload, {
      pods,
      formers: this.#formers.get(owner) ?? [],
      now: at,
      latest,
      received,
      sentAt: this.#sentAt(pod),
    });
    const isGone = type === 'DELETED' || isDeleting(pod);
    if (before === undefined) this.#judgeNew(pod, isGone, judge);
    else this.#judgeChange({ type, before, pod, isGone }, judge, owner);
    if (judge.isStateful) this.#lastOfOrdinal.set(placeOf(pod), revisionOf(pod));
    this.#noteFormers(owner, at);
  }

  #keepPod(type: Seen['type'], pod: KubeObject, before: KubeObject | undefined): void {
    const owner = controllerOf(pod)?.uid ?? '';
    const former = controllerOf(before ?? pod)?.uid ?? '';
    put(this.#pods, type, pod);
    if (former !== owner) this.#podsByOwner.get(former)?.delete(uidOf(pod));
    put(entry(this.#podsByOwner, owner), type, pod);
    if (phaseOf(pod) === 'Running') this.#haveRun.add(uidOf(pod));
  }

  #judgeNew(pod: KubeObject, isGone: boolean, judge: PodJudge): void {
    // Nobody decides about it any more; the controller removes it when it is one too many.
    if (judge.sentAt !== undefined) {
      this.#late.note(controllerOf(pod)?.uid ?? '', pod, pod, judge.now);
      return;
    }
    this.#judgeMade(pod, judge);
    if (!isGone) this.#judgeUpdated(undefined, pod, judge);
  }

  #judgeChange({ type, before, pod, isGone }: PodChange, judge: PodJudge, owner: string): void {
    if (hasBegun(before, pod)) this.#begun.set(uidOf(pod), judge.now);
    const isTaken = !isDeleting(before) && isGone;
    this.#judgeService({ before, pod, isGone, isTaken }, judge, owner);
    const isOurs = isTaken && this.#isOurDeletion(before);
    if (isStaying(before) && !this.#isDecided(isOurs, before)) this.#judgeLeaving(pod, isGone, judge, owner);
    if (!isGone && revisionOf(pod) !== revisionOf(before)) this.#judgeUpdated(before, pod, judge);
    if (isOurs) this.#judgeConsent(before, 'deleted', judge);
    if (isHeldBack(before) && (type === 'DELETED' || !hasFinalizer(pod)))
      this.#judgeConsent(before, 'released', judge);
  }

  #judgeService(
    change: { before: KubeObject; pod: KubeObject; isGone: boolean; isTaken: boolean },
    judge: PodJudge,
    owner: string,
  ): void {
    const { before, pod, isGone, isTaken } = change;
    if (!isInService(before) || (isInService(pod) && !isGone)) return;
    const isOurs = isTaken ? this.#isOurDeletion(before) : gateOf(pod) === 'False';
    if (!this.#isDecided(isOurs, before)) {
      this.#losses.note(owner, before, pod, judge.now);
      return;
    }
    this.#losses.drop(owner, pod);
    // Whoever was chosen when there were too many goes, however many are wanted by then (§2.5).
    if (isTaken && isLeavingByScale(before)) return;
    // One that does not count as available yet costs nothing.
    if (!judge.isAvailable(before, judge.now)) return;
    this.judged.outOfService += 1;
    const least = judge.least(({ replicas, maxUnavailable }) => replicas - maxUnavailable);
    const left = judge.active.filter((each) => judge.isAvailable(each, judge.latest)).length;
    // Pods that count as available, though they are not, for a controller that has not heard of it.
    const unseen = this.#losses
      .unseen(owner, judge.received)
      .filter((lost) => judge.isAvailable(lost, judge.latest) && !this.#isBack(lost, judge)).length;
    if (left + unseen < least)
      this.#complain(pod, `was taken out of service: ${left} are left, ${least} must be`);
  }

  /** Of a late write of ours no controller knows: it is as if somebody else had made it. */
  #isDecided(isOurs: boolean, pod: KubeObject): boolean {
    return isOurs && this.#sentAt(pod) === undefined;
  }

  /** A crashed pod that serves again, and for long enough: it is one of those that are left. */
  #isBack(lost: KubeObject, judge: PodJudge): boolean {
    const pod = this.#pods.get(uidOf(lost));
    return pod !== undefined && judge.isAvailable(pod, judge.latest);
  }

  /** A pod that stayed until now: others take it away, or the controller chooses it. */
  #judgeLeaving(pod: KubeObject, isGone: boolean, judge: PodJudge, owner: string): void {
    if (isGone || !isActive(pod)) this.#departures.note(owner, pod, pod, judge.now);
    else if (isChosen(pod)) this.#judgeChosen(pod, judge, owner);
  }

  /** Only pods that are too many are chosen for a scale-down. */
  #judgeChosen(pod: KubeObject, judge: PodJudge, owner: string): void {
    this.judged.chosen += 1;
    const least = judge.least(({ replicas }) => replicas);
    const unseen = this.#departures.unseen(owner, judge.received).length;
    const left = judge.active.filter(isStaying).length;
    if (judge.isStateful ? ordinalOf(pod) < least : left + unseen < least)
      this.#complain(pod, `was chosen for a scale-down: ${left} stay, ${least} are wanted`);
  }

  #judgeMade(pod: KubeObject, judge: PodJudge): void {
    this.judged.made += 1;
    const most = judge.most(({ replicas, maxSurge }) => replicas + maxSurge);
    const count = judge.isStateful ? ordinalOf(pod) + 1 : judge.active.filter(isStaying).length;
    const owner = controllerOf(pod)?.uid ?? '';
    const late = judge.isStateful ? 0 : this.#late.unseen(owner, judge.received).length;
    if (count > most + late) this.#complain(pod, `is one too many: ${count} are there, ${most} may be`);
  }

  #judgeUpdated(before: KubeObject | undefined, pod: KubeObject, judge: PodJudge): void {
    const revision = revisionOf(pod);
    const most = judge.most((bounds) => bounds.mostOf(revision));
    this.judged.updated += 1;
    if (judge.isStateful) {
      // Ordinals below the partition keep what they have, whatever that is, also when a pod is made anew.
      const kept = judge.least((bounds) => bounds.replicas - bounds.mostOf(revision));
      const hadIt = before === undefined && this.#lastOfOrdinal.get(placeOf(pod)) === revision;
      if (!hadIt && ordinalOf(pod) < kept)
        this.#complain(pod, `came to revision ${revision}: ordinals below ${kept} may not at this step`);
    } else {
      const staying = judge.active.filter(isStaying);
      const surplus = Math.max(0, staying.length - judge.least(({ replicas }) => replicas));
      const count = staying.filter((each) => revisionOf(each) === revision).length;
      // The update may have been decided before others removed a pod, or before a late one of the revision arrived.
      const owner = controllerOf(pod)?.uid ?? '';
      const lost = this.#departures.unseen(owner, judge.received).length;
      const late = this.#late.unseen(owner, judge.received);
      const unseen = lost + late.filter((each) => revisionOf(each) === revision).length;
      if (count > most + surplus + unseen)
        this.#complain(pod, `came to revision ${revision}: ${count} have it, ${most} may at this step`);
    }
    if (before !== undefined) this.#judgeConsent(before, 'changed', judge);
  }

  #judgeConsent(pod: KubeObject, how: 'deleted' | 'released' | 'changed', judge: PodJudge): void {
    const begun = this.#begun.get(uidOf(pod));
    const isNews = begun !== undefined && judge.now - begun < this.#patience;
    const phase = phaseOf(pod);
    const isAsked =
      how === 'released' ? this.#haveRun.has(uidOf(pod)) && phase !== 'Pending' : phase === 'Running';
    if (!isAsked || isNews) return;
    const now = judge.latest;
    const consents = this.#runsFor(pod, judge).flatMap((runOf) =>
      judge.specs.map((spec) => consentOf({ spec, pod, how, runOf, now })),
    );
    if (!consents.includes('no hook')) this.judged.consent += 1;
    if (consents.every((each) => each === 'refused'))
      this.#complain(pod, `was ${how} without its hook's consent`);
    else if (!consents.some((each) => each === 'no hook' || each === 'given')) this.#overdue(pod, judge.now);
  }

  #complain(object: KubeObject, what: string): void {
    this.complaints.push(`${kindOf(object)} ${namespaceOf(object)}/${nameOf(object)} ${what}`);
  }
}

/** How long an undisturbed watch needs, in milliseconds. */
const slowestNews = 50;

type PodsGiven = Pick<StatusGiven, 'formers'> & {
  readonly pods: readonly KubeObject[];
  readonly now: Instant;
  readonly latest: Instant;
  readonly received: Received;
  /** When the change was sent, if it arrived late. */
  readonly sentAt: Instant | undefined;
};

/** A change of a pod is judged by every spec that its controller may have known last; the mildest counts. */
class PodJudge {
  readonly specs: readonly KubeObject[];
  readonly active: readonly KubeObject[];
  /** Its pods have places of their own, so pods that are too many do not count for the others. */
  readonly isStateful: boolean;
  readonly now: Instant;
  readonly latest: Instant;
  readonly received: Received;
  readonly sentAt: Instant | undefined;
  readonly #given: StatusGiven;
  #known: readonly Bounds[] | undefined;
  readonly #minReadySeconds: number;

  constructor({ object, specs, stableBefore }: Workload, { pods, formers, sentAt, ...times }: PodsGiven) {
    const observed = numberAt(object, 'status', 'observedGeneration') ?? 0;
    const known = times.received(`${kindOf(object).toLowerCase()}s`);
    const isPossible = ([generation, { replaced }]: readonly [number, KnownSpec]): boolean =>
      sentAt !== undefined ||
      (generation >= observed && (replaced === undefined || known < 0 || replaced.version > known));
    this.specs = [...specs].filter(isPossible).map(([, { spec }]) => spec);
    // A step that has ended is still the current one for a controller that has not received it.
    const isUnseen = stableBefore !== undefined && known >= 0 && stableBefore.version > known;
    const stables = isUnseen ? [stableBefore.revision] : [];
    this.#given = { status: objectAt(object, 'status') ?? {}, formers, stables };
    this.active = pods.filter(isActive);
    this.isStateful = kindOf(object) === 'GameStatefulSet';
    this.sentAt = sentAt;
    this.now = times.now;
    this.latest = times.latest;
    this.received = times.received;
    this.#minReadySeconds = Math.min(
      ...this.specs.map((spec) => numberAt(spec, 'spec', 'minReadySeconds') ?? 0),
    );
  }

  get #bounds(): readonly Bounds[] {
    return (this.#known ??= this.specs.map((spec) => boundsOf(spec, this.#given)));
  }

  least(of: (bounds: Bounds) => number): number {
    return Math.min(...this.#bounds.map(of));
  }

  most(of: (bounds: Bounds) => number): number {
    return Math.max(...this.#bounds.map(of));
  }

  /** Whether it has been ready for `minReadySeconds` at this time. */
  isAvailable(pod: KubeObject, at: Instant): boolean {
    if (!isInService(pod)) return false;
    const since = parseTime(textAt(conditionOf(pod, 'Ready'), 'lastTransitionTime') ?? '');
    return since !== undefined && later(since, seconds(this.#minReadySeconds)) <= at;
  }
}

function stableBefore(before: Workload | undefined, object: KubeObject): Workload['stableBefore'] {
  const [was, is] = [stableOf(before?.object), stableOf(object)];
  if (was === is) return before?.stableBefore;
  return was === undefined ? undefined : { revision: was, version: versionOf(object) };
}

const versionOf = (object: KubeObject): number => Number(resourceVersionOf(object));

function put(known: Map<string, KubeObject>, type: Seen['type'], object: KubeObject): void {
  if (type === 'DELETED') known.delete(uidOf(object));
  else known.set(uidOf(object), object);
}

function entry(map: Map<string, Map<string, KubeObject>>, key: string): Map<string, KubeObject> {
  const known = map.get(key) ?? new Map<string, KubeObject>();
  map.set(key, known);
  return known;
}

/** Runs for pods of a workload that is being deleted have no owner but its label. Another pod in its place is another one. */
function runKeyOf(run: KubeObject): string {
  const labels = labelsOf(run);
  const owner = controllerOf(run)?.uid ?? labels[workloadUidLabel] ?? '';
  const of = (name: string): string => labels[`boathook.dev/${name}`] ?? '';
  return [owner, of('hook-point'), of('pod-uid'), of('revision')].join(' ');
}

/** Most changes of pods neither take them out of service nor change, mark or release them. */
const isIrrelevant = (type: Seen['type'], before: KubeObject | undefined, pod: KubeObject): boolean =>
  before !== undefined &&
  type !== 'DELETED' &&
  isDeleting(pod) === isDeleting(before) &&
  phaseOf(pod) === phaseOf(before) &&
  revisionOf(pod) === revisionOf(before) &&
  hasFinalizer(pod) === hasFinalizer(before) &&
  isLeavingByScale(pod) === isLeavingByScale(before) &&
  (isInService(pod) || !isInService(before));

const hasBegun = (before: KubeObject, pod: KubeObject): boolean =>
  phaseOf(before) !== 'Running' && phaseOf(pod) === 'Running';
const generationOf = (object: KubeObject): number => numberAt(object, 'metadata', 'generation') ?? 0;
const stableOf = (object: KubeObject | undefined): string | undefined =>
  textAt(object, 'status', 'canary', 'revision');
const stepOf = (object: KubeObject): number | undefined => numberAt(object, 'status', 'currentStepIndex');
const phaseOf = (pod: KubeObject): string => textAt(pod, 'status', 'phase') ?? '';
const revisionOf = (pod: KubeObject): string => labelsOf(pod)[revisionLabel] ?? '';
const instanceOf = (pod: KubeObject): string =>
  labelsOf(pod)[instanceLabel] ?? nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1);
const ordinalOf = (pod: KubeObject): number => Number(instanceOf(pod));
const placeOf = (pod: KubeObject): string => `${controllerOf(pod)?.uid ?? ''} ${ordinalOf(pod)}`;
const hasFinalizer = (pod: KubeObject): boolean =>
  listAt(pod, 'metadata', 'finalizers').includes(preDeleteFinalizer);
const isHeldBack = (pod: KubeObject): boolean => isDeleting(pod) && hasFinalizer(pod);
const pauseReasonsOf = (workload: KubeObject): readonly string[] =>
  listAt(workload, 'status', 'pauseConditions').map((each) => textAt(each, 'reason') ?? '');
const conditionOf = (pod: KubeObject, type: string): Json | undefined =>
  listAt(pod, 'status', 'conditions').find((each) => textAt(each, 'type') === type);
const gateOf = (pod: KubeObject): string | undefined => textAt(conditionOf(pod, gateType), 'status');

const isActive = (pod: KubeObject): boolean =>
  !isDeleting(pod) && phaseOf(pod) !== 'Failed' && phaseOf(pod) !== 'Succeeded';
const isInService = (pod: KubeObject): boolean =>
  phaseOf(pod) === 'Running' &&
  !isDeleting(pod) &&
  textAt(conditionOf(pod, 'Ready'), 'status') === 'True' &&
  gateOf(pod) !== 'False';
const isLeavingByScale = (pod: KubeObject): boolean =>
  ['scale-down', 'requested'].includes(annotationsOf(pod)[leavingAnnotation] ?? '');
/** By the controller; `requested` is what a user chose. */
const isChosen = (pod: KubeObject): boolean => annotationsOf(pod)[leavingAnnotation] === 'scale-down';
const isStaying = (pod: KubeObject): boolean => isActive(pod) && !isLeavingByScale(pod);
