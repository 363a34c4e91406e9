import { reconcileObject } from '#loop/reconcile-object.ts';
import { numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { objectKey, type Delta } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { warning } from '#loop/note.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { factsOf, isFinished } from '#kube/workload/pod-facts.ts';
import { around, claimOwned, ownedSource, ownerIndexes, ownSource } from '#loop/owned/owned.ts';
import { deployments, pods, replicaSets } from '#loop/owned/resources.ts';
import { until } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { isTerminating, Refused, writeStatus } from '#loop/owned/write.ts';
import { annotationsOf, nameOf, namespaceOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { decideDeployment, type DeploymentDecision } from './decide.ts';
import { perform, type Done } from './perform.ts';
import { appendCondition, conditionsOf } from '#kube/conditions.ts';
import { deploymentCondition } from './deployment-conditions.ts';
import { revisionKey } from './replica-set-view.ts';

/** Rolls deployments from one template to the next. */
export function deploymentController(deps: WorkloadDeps): Controller {
  const work = new DeploymentWork(deps);
  return runController({
    name: 'deployment',
    ...loopParts(deps),
    sources: [
      ownSource(work.deployments),
      ownedSource(work.sets, 'Deployment', work.deployments),
      { informer: work.pods, keysOf: (delta) => work.afterPod(delta) },
    ],
    reconcile: reconcileObject(work.deployments, {
      reconcile: (deployment, signal) => work.reconcile(deployment, signal),
    }),
  });
}

class DeploymentWork {
  readonly deployments: Informer;
  readonly sets: Informer;
  readonly pods: Informer;
  readonly #deps: WorkloadDeps;
  readonly #events: EventRecorder;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.deployments = deps.informers.informer({ resource: deployments });
    this.sets = deps.informers.informer({ resource: replicaSets, indexes: ownerIndexes });
    this.pods = deps.informers.informer({ resource: pods, indexes: ownerIndexes });
    this.#events = deps.recorder('deployment-controller');
  }

  /** The strategy Recreate continues when the last pod of an old ReplicaSet is deleted. */
  afterPod({ type, object }: Delta): readonly string[] {
    const namespace = namespaceOf(object);
    const owner = type === 'deleted' ? controllerOf(object) : undefined;
    const set = owner?.kind === 'ReplicaSet' ? this.sets.get(namespace, owner.name) : undefined;
    const controller = set && controllerOf(set);
    if (controller?.kind !== 'Deployment') return [];
    const deployment = this.deployments.get(namespace, controller.name);
    const recreates = textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
    return recreates ? [objectKey(namespace, controller.name)] : [];
  }

  async reconcile(deployment: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const resources = { owner: deployments, owned: replicaSets };
    const objects = around(this.sets, deployment);
    const sets = await claimOwned(client, resources, { owner: deployment, objects }, signal);
    const isRunning = (set: KubeObject): boolean => this.#isRunning(set);
    const decision = decideDeployment({ deployment, sets, isRunning }, clock.now());
    const result = await this.#act(deployment, decision, signal);
    if (result === 'stale') return settled;
    if (result === 'done') await this.#write(deployment, decision, signal);
    else await this.#countCollision(deployment, signal);
    return until(clock, decision.wakeAt);
  }

  #isRunning(set: KubeObject): boolean {
    return this.pods.byIndex('controller', uidOf(set)).some((pod) => !isFinished(factsOf(pod)));
  }

  async #act(deployment: KubeObject, { actions }: DeploymentDecision, signal: AbortSignal): Promise<Done> {
    for (const action of actions) {
      try {
        const result = await perform(this.#deps.client, deployment, action, signal);
        if (result !== 'done') return result;
      } catch (error) {
        if (error instanceof Refused && action.type === 'create') {
          await this.#tellRefusal(deployment, { set: nameOf(action.set), error }, signal);
        }
        throw error;
      }
      if (action.type !== 'delete' && action.note !== undefined) this.#events.record(deployment, action.note);
    }
    return 'done';
  }

  /** The status subresource accepts annotations too. */
  async #write(
    deployment: KubeObject,
    { status, revision }: { readonly status: JsonObject; readonly revision?: string | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#deps;
    const annotations = annotationsOf(deployment);
    if (revision === undefined || annotations[revisionKey] === revision) {
      await writeStatus(client, deployments, { object: deployment, status }, signal);
      return;
    }
    const numbered = withMeta(deployment, { annotations: { ...annotations, [revisionKey]: revision } });
    const blank = { ...numbered, status: {} };
    await writeStatus(client, deployments, { object: blank, status }, signal);
  }

  async #countCollision(deployment: KubeObject, signal: AbortSignal): Promise<void> {
    const collisionCount = (numberAt(deployment, 'status', 'collisionCount') ?? 0) + 1;
    await this.#write(deployment, { status: { ...objectAt(deployment, 'status'), collisionCount } }, signal);
  }

  /** A refused ReplicaSet is reported in an event and a condition. */
  async #tellRefusal(
    deployment: KubeObject,
    { set, error }: { readonly set: string; readonly error: Refused },
    signal: AbortSignal,
  ): Promise<void> {
    if (isTerminating(error.refusal)) return;
    const message = `Failed to create new replica set "${set}": ${error.message}`;
    const text = ['ReplicaSetCreateError', message] as const;
    this.#events.record(deployment, warning(...text));
    const now = this.#deps.clock.now();
    const failed = deploymentCondition('Progressing', 'False', text, now);
    const conditions = appendCondition(conditionsOf(deployment), failed, now);
    await this.#write(deployment, { status: { ...objectAt(deployment, 'status'), conditions } }, signal);
  }
}
