import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { normal, type Note } from '#loop/note.ts';
import { isDeleting, nameOf, withMeta, annotationsOf, type KubeObject } from '#kube/object.ts';
import { deploymentSpec, type DeploymentSpec } from './deployment-spec.ts';
import { newReplicaSet, refreshed, replicaAnnotations, type WantedReplicaSet } from './new-replica-set.ts';
import { appendCondition, findCondition } from '#kube/conditions.ts';
import { deploymentCondition, type Conditions } from './deployment-conditions.ts';
import { countedStatus, isComplete, rolloutStatus, stuckAt, type Rollout } from './progress.ts';
import { olderFirst, revisionKey, total, viewOf, type SetView } from './replica-set-view.ts';
import { growNew, isScaling, newSetSize, occupied, scaleAll, shrinkOld, type Sizes } from './scale-plan.ts';
import { isOfTemplate } from './template-hash.ts';

export type DeploymentSnapshot = {
  readonly deployment: KubeObject;
  /** The replica sets it controls. */
  readonly sets: readonly KubeObject[];
  /** Whether a pod of a replica set, other than the current one, is not finished yet. */
  readonly isRunning: (set: KubeObject) => boolean;
};

export type DeploymentAction =
  | { readonly type: 'create'; readonly set: KubeObject; readonly note: Note | undefined }
  | { readonly type: 'update'; readonly set: KubeObject; readonly note: Note | undefined }
  | { readonly type: 'delete'; readonly set: KubeObject };

export type DeploymentDecision = {
  /** In this order; the first that fails ends the pass. */
  readonly actions: readonly DeploymentAction[];
  readonly status: JsonObject;
  /** The revision annotation of the deployment. */
  readonly revision: string | undefined;
  readonly wakeAt: Instant | undefined;
};

/** One pass over a Deployment. The next follows when its ReplicaSets have changed. */
export function decideDeployment(snapshot: DeploymentSnapshot, now: Instant): DeploymentDecision {
  const pass = new Pass(snapshot, now);
  if (isDeleting(snapshot.deployment)) return pass.countOnly();
  pass.noteWhetherPaused();
  if (pass.spec.isPaused || isScaling(pass.spec, pass.views)) return pass.scale();
  return pass.spec.isRolling ? pass.roll() : pass.recreate();
}

/** The state of one pass: what was found, and what has been decided so far. */
class Pass {
  readonly spec: DeploymentSpec;
  readonly views: readonly SetView[];
  readonly #snapshot: DeploymentSnapshot;
  readonly #now: Instant;
  readonly #actions: DeploymentAction[] = [];
  readonly #old: SetView[];
  #current: SetView | undefined;
  #conditions: Conditions;
  #revision: string | undefined;

  constructor(snapshot: DeploymentSnapshot, now: Instant) {
    this.#snapshot = snapshot;
    this.#now = now;
    this.spec = deploymentSpec(snapshot.deployment);
    this.views = snapshot.sets.map(viewOf).sort(olderFirst);
    const template = objectAt(snapshot.deployment, 'spec', 'template');
    this.#current = this.views.find((view) => isOfTemplate(view.object, template));
    this.#old = this.views.filter((view) => view !== this.#current);
    this.#conditions = listAt(snapshot.deployment, 'status', 'conditions');
  }

  countOnly(): DeploymentDecision {
    return this.#decided(this.#counted());
  }

  noteWhetherPaused(): void {
    if (this.spec.progressDeadlineSeconds === undefined) return;
    const reason = textAt(findCondition(this.#conditions, 'Progressing'), 'reason');
    if (reason === 'ProgressDeadlineExceeded') return;
    const isKnown = reason === 'DeploymentPaused';
    if (this.spec.isPaused === isKnown) return;
    this.#say('Unknown', this.spec.isPaused ? paused : resumed);
  }

  /** Paused, or being scaled: no rollout. */
  scale(): DeploymentDecision {
    this.#refresh();
    const counted = numberAt(this.#snapshot.deployment, 'status', 'replicas') ?? 0;
    this.#resize(scaleAll(this.spec, this.#current, this.#old, counted));
    if (this.spec.isPaused) this.#cleanUp();
    return this.#decided(this.#counted());
  }

  roll(): DeploymentDecision {
    const current = this.#refresh() ?? this.#create();
    const growth = growNew(this.spec, current, [current, ...this.#old]);
    if (growth.size > 0 && (this.#isSeen() || !isLarger(growth))) {
      this.#resize(growth);
      return this.#rolledOut();
    }
    const loss = shrinkOld(this.spec, current, this.#old);
    this.#resize(loss);
    if (loss.size === 0 && this.#isComplete()) this.#cleanUp();
    return this.#rolledOut();
  }

  /** All old pods are deleted before the first new one is created. */
  recreate(): DeploymentDecision {
    this.#refresh();
    const active = this.#old.filter((set) => set.replicas > 0);
    if (active.length > 0) {
      this.#resize(new Map(active.map((set) => [set, 0])));
      return this.#rolledOut();
    }
    if (this.#old.some((set) => set.actual > 0 || this.#snapshot.isRunning(set.object)))
      return this.#rolledOut();
    const current = this.#current ?? this.#create();
    if (current.replicas !== this.spec.replicas) this.#resize(new Map([[current, this.spec.replicas]]));
    if (this.#isComplete()) this.#cleanUp();
    return this.#rolledOut();
  }

  /** Updates the annotations of the current ReplicaSet and the conditions about it. */
  #refresh(): SetView | undefined {
    const current = this.#current;
    if (current === undefined) return undefined;
    const changed = refreshed(current.object, this.#wanted());
    if (changed !== undefined) {
      this.#actions.push({ type: 'update', set: changed, note: undefined });
      this.#current = { ...current, object: changed };
    }
    this.#revision = annotationsOf(changed ?? current.object)[revisionKey];
    if (findCondition(this.#conditions, 'Progressing') === undefined) {
      this.#say('True', ['FoundNewReplicaSet', `Found new replica set "${current.name}"`]);
    }
    return this.#current;
  }

  #create(): SetView {
    const wanted = this.#wanted();
    const all = total(this.#old, occupied);
    const replicas = this.#isSeen() ? newSetSize(this.spec, 0, all) : 0;
    const collisions = numberAt(this.#snapshot.deployment, 'status', 'collisionCount');
    const set = newReplicaSet(wanted, replicas, collisions);
    const name = nameOf(set);
    const note =
      replicas > 0
        ? normal('ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`)
        : undefined;
    this.#actions.push({ type: 'create', set, note });
    this.#revision = String(wanted.revision);
    this.#say('True', ['NewReplicaSetCreated', `Created new replica set "${name}"`]);
    this.#current = viewOf(set);
    return this.#current;
  }

  /**
   * Whether the controllers of the old sets have observed their last change. Until then they may have more pods than shown,
   * and new ones beside them could be too many.
   */
  #isSeen(): boolean {
    return this.#old.every((set) => set.isSeen);
  }

  #wanted(): WantedReplicaSet {
    const revision = Math.max(0, ...this.#old.map((set) => set.revision)) + 1;
    return { deployment: this.#snapshot.deployment, spec: this.spec, revision };
  }

  #resize(sizes: Sizes): void {
    for (const [set, replicas] of sizes) {
      const sizeAnnotations = replicaAnnotations(this.spec);
      const before = annotationsOf(set.object);
      const isAnnotated = Object.entries(sizeAnnotations).every(([key, value]) => before[key] === value);
      if (set.replicas === replicas && isAnnotated) continue;
      const annotations = { ...before, ...sizeAnnotations };
      const sized: KubeObject = {
        ...withMeta(set.object, { annotations }),
        spec: { ...objectAt(set.object, 'spec'), replicas },
      };
      this.#replace(set, { ...set, object: sized, replicas }, scaledNote(set, replicas));
    }
  }

  #replace(set: SetView, sized: SetView, note: Note | undefined): void {
    const at = this.#old.indexOf(set);
    if (at >= 0) this.#old[at] = sized;
    else this.#current = sized;
    const earlier = this.#actions.findIndex(
      (each) => each.type === 'update' && nameOf(each.set) === set.name,
    );
    const action: DeploymentAction = { type: 'update', set: sized.object, note };
    if (earlier >= 0) this.#actions[earlier] = action;
    else this.#actions.push(action);
  }

  /** Old replica sets beyond the limit go, the lowest revision first. */
  #cleanUp(): void {
    const limit = this.spec.historyLimit;
    if (limit === undefined) return;
    const alive = this.#old.filter((set) => !isDeleting(set.object));
    const surplus = alive
      .sort((left, right) => left.revision - right.revision || olderFirst(left, right))
      .slice(0, Math.max(0, alive.length - limit));
    for (const set of surplus) if (isIdle(set)) this.#actions.push({ type: 'delete', set: set.object });
  }

  #isComplete(): boolean {
    const { deployment } = this.#snapshot;
    return isComplete(deployment, this.spec, objectAt(deployment, 'status') ?? {});
  }

  #say(status: 'True' | 'Unknown', text: readonly [string, string]): void {
    if (this.spec.progressDeadlineSeconds === undefined) return;
    const next = deploymentCondition('Progressing', status, text, this.#now);
    this.#conditions = appendCondition(this.#conditions, next, this.#now);
  }

  #rollout(): Rollout {
    const all = this.#current === undefined ? this.#old : [...this.#old, this.#current];
    return { deployment: this.#snapshot.deployment, spec: this.spec, current: this.#current, all };
  }

  #counted(): JsonObject {
    return countedStatus(this.#rollout(), this.#conditions, this.#now);
  }

  #rolledOut(): DeploymentDecision {
    return this.#decided(rolloutStatus(this.#rollout(), this.#counted(), this.#now));
  }

  #decided(status: JsonObject): DeploymentDecision {
    return {
      actions: this.#actions,
      status,
      revision: this.#revision,
      wakeAt: stuckAt(this.#snapshot.deployment, this.spec, status),
    };
  }
}

const paused = ['DeploymentPaused', 'Deployment is paused'] as const;
const resumed = ['DeploymentResumed', 'Deployment is resumed'] as const;

function scaledNote(set: SetView, replicas: number): Note | undefined {
  if (replicas === set.replicas) return undefined;
  const direction = replicas > set.replicas ? 'up' : 'down';
  return normal(
    'ScalingReplicaSet',
    `Scaled ${direction} replica set ${set.name} from ${set.replicas} to ${replicas}`,
  );
}

const isIdle = ({ object, replicas, actual }: SetView): boolean =>
  replicas === 0 &&
  actual === 0 &&
  (numberAt(object, 'metadata', 'generation') ?? 0) <=
    (numberAt(object, 'status', 'observedGeneration') ?? 0);

const isLarger = (sizes: Sizes): boolean => [...sizes].some(([set, replicas]) => replicas > set.replicas);
