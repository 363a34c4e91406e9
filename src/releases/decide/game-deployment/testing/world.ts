import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { actionShort } from '#releases/decide/testing/cases/action-short.ts';
import { snapshotFromCase } from '#releases/decide/testing/cases/case-snapshot.ts';
import { releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { gateType } from '#releases/model/well-known.ts';
import { isDeleting, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';
import { applyStrategicPatch } from '#kube/patch/strategic.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import { noon } from '#kube/workload/testing/objects.ts';
import { decideGameDeployment } from '#releases/decide/game-deployment/decide.ts';
import { newPods } from '#releases/decide/game-deployment/new-pods.ts';

const podShape = shapeOfType(typeNameOf('', 'v1', 'Pod') ?? '');
export const revisionNames = ['r1', 'r2', 'r3'] as const;
export type RevisionName = (typeof revisionNames)[number];

/** A small cluster for one GameDeployment: what is decided is done, and nodes answer a second later. */
export class World {
  now: Instant = noon;
  workload: KubeObject;
  revision: RevisionName = 'r1';
  readonly pods = new Map<string, KubeObject>();
  readonly runs = new Map<string, KubeObject>();
  /** What hooks answer; undefined: nothing. */
  verdict: string | undefined = 'Successful';
  /** Pods of these revisions never become ready. */
  readonly broken = new Set<string>();
  /** The process dies at its next looks, each time after so many acts, before it writes anything else. */
  deaths: readonly number[] = [];
  readonly done: string[] = [];
  /** Called after every look. */
  onLook: (views: readonly ReleasePod[]) => void = () => undefined;
  #made = 0;
  #numbers = new Map<string, number>();

  constructor(spec: JsonObject) {
    this.workload = snapshotFromCase({ spec, isFresh: true }).snapshot.workload;
  }

  /** Looks and acts until nothing moves any more. */
  settle(): JsonObject {
    for (let round = 0; round < 400; round += 1) {
      const before = this.#seen();
      const isAlive = this.deaths.length === 0;
      this.step();
      if (isAlive && this.#seen() === before) return this.status;
    }
    const last = this.done.slice(-12).join('; ');
    throw new Error(`it never comes to rest: ${JSON.stringify(this.status)}; ${last}`);
  }

  /** One look, and a second for the nodes. */
  step(): void {
    this.#look();
    this.now = later(this.now, seconds(1));
    for (const [name, pod] of this.pods) this.#tick(name, pod);
    for (const [name, run] of this.runs)
      if (textAt(run, 'status', 'phase') === undefined && this.verdict !== undefined)
        this.runs.set(name, { ...run, status: { phase: this.verdict } });
  }

  wait(span: number): JsonObject {
    this.now = later(this.now, seconds(span));
    return this.settle();
  }

  edit(spec: JsonObject): void {
    this.workload = applyMergePatch(this.workload, { spec }) as KubeObject;
  }

  get status(): JsonObject {
    return objectAt(this.workload, 'status') ?? {};
  }

  get views(): readonly ReleasePod[] {
    return [...this.pods.values()].map(releasePodOf);
  }

  #seen(): string {
    return JSON.stringify([[...this.pods], [...this.runs], this.workload]);
  }

  #snapshot(): WorkloadSnapshot {
    // A revision that comes back becomes the newest.
    if (!this.#numbers.has(this.revision) || this.#newest() !== this.revision)
      this.#numbers.set(
        this.revision,
        this.#numbers.size === 0 ? 1 : Math.max(...this.#numbers.values()) + 1,
      );
    const named = Object.fromEntries(
      [...this.#numbers].sort(([, left], [, right]) => left - right).map(([name]) => [name, {}]),
    );
    const { snapshot } = snapshotFromCase({
      revisions: named,
      update: this.revision,
      templates: { check: {} },
    });
    return {
      ...snapshot,
      workload: this.workload,
      pods: [...this.pods.values()],
      runs: [...this.runs.values()],
      isRunName: (name) => this.runs.has(name),
      now: this.now,
    };
  }

  #newest(): string | undefined {
    return [...this.#numbers].sort(([, left], [, right]) => right - left)[0]?.[0];
  }

  #look(): void {
    const snapshot = this.#snapshot();
    const decision = decideGameDeployment(snapshot, this.#spec());
    const [death, ...deaths] = this.deaths;
    for (const action of decision.actions.slice(0, death)) this.#applyAction(action, snapshot);
    if (death === undefined) this.#write(decision);
    this.deaths = deaths;
    this.onLook(this.views);
  }

  #spec(): GameDeployment['spec'] {
    return this.workload['spec'] as unknown as GameDeployment['spec'];
  }

  #write({ spec, status }: Decision): void {
    if (spec !== undefined) this.edit(spec);
    this.workload = { ...this.workload, status };
  }

  #applyAction(action: ReleaseAction, snapshot: WorkloadSnapshot): void {
    this.done.push(actionShort(action));
    switch (action.type) {
      case 'create-run':
        this.runs.set(nameOf(action.run), withMeta(action.run, { creationTimestamp: formatTime(this.now) }));
        return;
      case 'terminate-run':
        this.runs.set(nameOf(action.run), { ...action.run, status: { phase: 'Successful' } });
        return;
      case 'delete-run':
        this.runs.delete(nameOf(action.run));
        return;
      case 'create-pods':
        this.#create(action.revision, action.count, snapshot);
        return;
      default:
        this.#performOnPod(action);
    }
  }

  #create(revision: KubeObject, count: number, snapshot: WorkloadSnapshot): void {
    const ids = Array.from({ length: count }, () => `p${(this.#made += 1)}`);
    const made = newPods({ ...snapshot, spec: this.#spec(), revision, ids });
    if (made.type === 'refused') throw new Error(made.message);
    for (const pod of made.pods) {
      const born = withMeta(pod, { creationTimestamp: formatTime(this.now) });
      this.pods.set(nameOf(pod), { ...born, status: { phase: 'Pending' } });
    }
  }

  #performOnPod(action: ReleaseAction): void {
    switch (action.type) {
      case 'delete-pod':
        this.#put(action.pod, (pod) => withMeta(pod, { deletionTimestamp: formatTime(this.now) }));
        return;
      case 'patch-pod':
        this.#patch(action.pod, action.patch);
        return;
      case 'set-gate':
        this.#put(action.pod, (pod) => withCondition(pod, gateType, action.isOpen, this.now));
        return;
      case 'begin-in-place':
        this.#put(action.pod, (pod) => withCondition(pod, gateType, false, this.now));
        this.#patch(action.pod, action.patch);
        return;
      default:
        throw new Error(`no GameDeployment does this: ${action.type}`);
    }
  }

  #patch(pod: KubeObject, patch: JsonObject): void {
    this.#put(pod, (found) => applyStrategicPatch(podShape, found, patch) as KubeObject);
  }

  #put(pod: KubeObject, change: (pod: KubeObject) => KubeObject): void {
    const found = this.pods.get(nameOf(pod));
    if (found === undefined) throw new Error(`${nameOf(pod)} is gone`);
    this.pods.set(nameOf(pod), change(found));
  }

  /** What the kubelet does: pods start, containers are replaced, gates count for readiness. */
  #tick(name: string, pod: KubeObject): void {
    if (isDeleting(pod)) {
      if (listAt(pod, 'metadata', 'finalizers').length === 0) this.pods.delete(name);
      return;
    }
    const image = textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
    const before = listAt(pod, 'status', 'containerStatuses')[0];
    const isSame = before !== undefined && textAt(before, 'imageID') === image;
    const restartCount = (numberAt(before, 'restartCount') ?? -1) + (isSame ? 0 : 1);
    const container = {
      name: 'c',
      image,
      imageID: image,
      containerID: `${name}-${restartCount}`,
      restartCount,
      state: { running: {} },
    };
    const status = { ...objectAt(pod, 'status'), phase: 'Running', containerStatuses: [container] };
    const running = { ...pod, spec: { ...objectAt(pod, 'spec'), nodeName: 'n' }, status };
    const { gate, revision } = releasePodOf(running);
    const isReady = !this.broken.has(revision) && (gate === 'open' || gate === 'none');
    this.pods.set(name, withCondition(running, 'Ready', isReady, this.now));
  }
}

function withCondition(pod: KubeObject, type: string, holds: boolean, now: Instant): KubeObject {
  const conditions = listAt(pod, 'status', 'conditions');
  const before = conditions.find((each) => textAt(each, 'type') === type);
  const status = holds ? 'True' : 'False';
  if (textAt(before, 'status') === status) return pod;
  const others = conditions.filter((each) => each !== before);
  const next = { type, status, lastTransitionTime: formatTime(now) };
  return { ...pod, status: { ...objectAt(pod, 'status'), conditions: [...others, next] } };
}
