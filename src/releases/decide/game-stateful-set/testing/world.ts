import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, instant, later, seconds, type Instant } from '#base/time.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import { gateType, hotPatchStateAnnotation } from '#releases/model/well-known.ts';
import { annotationsOf, isDeleting, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';
import { applyStrategicPatch } from '#kube/patch/strategic.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import { noon } from '#kube/workload/testing/objects.ts';
import { decide, revisionOf, snapshotOf, told } from './objects.ts';
import type { Decision } from '#releases/decide/snapshot.ts';

const podShape = shapeOfType(typeNameOf('', 'v1', 'Pod') ?? '');

/** A small cluster for one set: what is decided is done, and nodes answer a second later. */
export class World {
  now: Instant = noon;
  set: KubeObject;
  revision = 'old';
  pods = new Map<string, KubeObject>();
  runs = new Map<string, KubeObject>();
  claims = new Set<string>();
  /** What a hook answers. */
  verdict = 'Successful';
  /** Pods of these revisions never become ready. */
  readonly broken = new Set<string>();
  readonly done: string[] = [];
  /** The process dies at its first looks, each time after so many acts, before it writes anything else. */
  deaths: readonly number[] = [];
  fewestInService = Infinity;
  mostUpdated = 0;

  constructor(set: KubeObject) {
    this.set = set;
  }

  /** Looks and acts until nothing moves any more. */
  settle(): JsonObject {
    for (let round = 0; round < 500; round += 1) {
      const before = this.#seen();
      const isAlive = this.deaths.length === 0;
      this.#look();
      this.now = later(this.now, seconds(1));
      for (const [name, pod] of this.pods) this.#tick(name, pod);
      for (const [name, run] of this.runs)
        if (textAt(run, 'status', 'phase') === undefined)
          this.runs.set(name, { ...run, status: { phase: this.verdict } });
      if (isAlive && this.#seen() === before) return this.status;
    }
    throw new Error(
      `it never comes to rest: ${JSON.stringify(this.status)}; ${this.done.slice(-12).join(', ')}`,
    );
  }

  /** Time passes. */
  wait(span: number): JsonObject {
    this.now = later(this.now, seconds(span));
    return this.settle();
  }

  edit(spec: JsonObject): void {
    this.set = applyMergePatch(this.set, { spec }) as KubeObject;
    this.set = withMeta(this.set, { generation: (numberAt(this.set, 'metadata', 'generation') ?? 1) + 1 });
  }

  get status(): JsonObject {
    return objectAt(this.set, 'status') ?? {};
  }

  /** REPLICAS, READY, CURRENT and UPDATED, as they are printed. */
  get row(): string {
    const number = (name: string): number => numberAt(this.status, name) ?? 0;
    const replicas = numberAt(this.set, 'spec', 'replicas') ?? 0;
    return [replicas, number('readyReplicas'), number('currentReplicas'), number('updatedReplicas')].join(
      '/',
    );
  }

  get views(): readonly ReleasePod[] {
    return [...this.pods.values()].map(releasePodOf);
  }

  restarts(): readonly number[] {
    return [...this.pods.keys()]
      .sort()
      .map(
        (name) =>
          numberAt(listAt(this.pods.get(name), 'status', 'containerStatuses')[0], 'restartCount') ?? 0,
      );
  }

  #seen(): string {
    return JSON.stringify([[...this.pods], [...this.runs], this.set]);
  }

  #look(): void {
    const decision = decide(
      snapshotOf(this.set, [...this.pods.values()], {
        updateRevision: revisionOf(this.revision),
        runs: [...this.runs.values()],
        isRunName: (name) => this.runs.has(name),
        claim: (name) => (this.claims.has(name) ? { metadata: { name } } : undefined),
        node: () => ({ metadata: { labels: { 'boathook.dev/hot-patch': 'true' } } }),
        now: this.now,
      }),
    );
    const [death, ...deaths] = this.deaths;
    for (const action of decision.actions.slice(0, death)) this.#applyAction(action);
    if (death === undefined) this.#write(decision);
    this.deaths = deaths;
    this.fewestInService = Math.min(
      this.fewestInService,
      this.views.filter((view) => view.isInService).length,
    );
    const updated = this.views.filter((view) => view.isActive && view.revision === this.revision).length;
    this.mostUpdated = Math.max(this.mostUpdated, updated);
  }

  #write({ spec, status }: Decision): void {
    if (spec !== undefined) this.edit(spec);
    this.set = { ...this.set, status };
  }

  #applyAction(action: ReleaseAction): void {
    this.done.push(told(action));
    if (action.type === 'create-run') {
      const run = withMeta(action.run, { creationTimestamp: formatTime(this.now) });
      this.runs.set(nameOf(run), run);
    } else if (action.type === 'delete-run' || action.type === 'terminate-run') {
      this.runs.delete(nameOf(action.run));
    } else this.#performOnPod(action);
  }

  #performOnPod(action: ReleaseAction): void {
    switch (action.type) {
      case 'create-pod':
        for (const claim of action.claims) this.claims.add(nameOf(claim));
        if (this.pods.has(nameOf(action.pod))) throw new Error(`${nameOf(action.pod)} is there already`);
        this.pods.set(nameOf(action.pod), { ...action.pod, status: { phase: 'Pending' } });
        return;
      case 'create-claim':
        this.claims.add(nameOf(action.claim));
        return;
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
        throw new Error(`no set does this: ${action.type}`);
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
      this.pods.delete(name);
      return;
    }
    const image = textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
    const before = listAt(pod, 'status', 'containerStatuses')[0];
    const isHot = annotationsOf(pod)[hotPatchStateAnnotation] !== undefined;
    const isSame = before !== undefined && (isHot || textAt(before, 'imageID') === image);
    const restarts = (numberAt(before, 'restartCount') ?? -1) + (isSame ? 0 : 1);
    const container = {
      name: 'c',
      imageID: image,
      containerID: `${name}-${restarts}`,
      restartCount: restarts,
      state: { running: {} },
    };
    const running = {
      ...pod,
      status: { ...objectAt(pod, 'status'), phase: 'Running', containerStatuses: [container] },
    };
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
  const next = { type, status, lastTransitionTime: formatTime(instant(now)) };
  return { ...pod, status: { ...objectAt(pod, 'status'), conditions: [...others, next] } };
}
