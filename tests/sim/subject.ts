import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { isConditionTrue } from '#kube/conditions.ts';
import { isDeleting, labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { objectKey } from '#loop/delta.ts';
import { budgets, namespaces, pods } from '#loop/owned/resources.ts';
import type { Resource } from '#kube/resource.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { actAnnotation, actTargetOf, printAct, type ActVerb } from '#releases/model/act.ts';
import { breakGlassAnnotation, revisionLabel, workloadUidLabel } from '#releases/model/well-known.ts';
import { continued } from '../support/random-releases.ts';
import type { Approval } from './judges/step-judge.ts';
import type { HappeningPlan } from './plan-happenings.ts';
import { walks, type SubjectPlan } from './plan-subjects.ts';
import { finalPhases } from './run-phases.ts';
import type { SimCluster } from './sim-cluster.ts';
import { awaitedDeletion, disrupt } from './subject-disruptions.ts';
import { happenToRun, isRunHappening } from './subject-runs.ts';
import {
  budgetOf,
  hookRunOf,
  hookTemplateOf,
  resources,
  storages,
  templateOf,
  workloadOf,
  type WorkloadName,
} from './subject-objects.ts';

const never = new AbortController().signal;
/** States that wait for a user. */
const waitingPhases = new Set(['Paused', 'Blocked']);
const waitingReasons = new Set(['WaitingForDeletion']);

type WorkloadEdit = Extract<
  HappeningPlan,
  { readonly type: 'image' | 'env' | 'replicas' | 'steps' | 'limits' | 'paused' | 'touch' }
>;

/** One workload, or the hook runs of one namespace, with the people who use it. */
export class Subject {
  readonly namespace: string;
  readonly name: WorkloadName;
  readonly plan: SubjectPlan;
  readonly #cluster: SimCluster;
  #round = -1;
  #acts = 0;
  #tag = 1;
  #env: string | undefined;

  constructor(cluster: SimCluster, plan: SubjectPlan, namespace: string) {
    this.#cluster = cluster;
    this.plan = plan;
    this.namespace = namespace;
    this.name = plan.sharesBudget === true ? 'k' : 'g';
  }

  async create(): Promise<void> {
    const { namespace, plan } = this;
    if (plan.sharesBudget !== true) {
      await this.#make(namespaces, { metadata: { name: namespace } });
      await this.#make(hookTemplates, hookTemplateOf(namespace));
      if (plan.budget !== undefined) await this.#make(budgets, budgetOf(plan.budget, namespace));
    }
    if (plan.kind !== 'HookRun') await this.#make(resources[plan.kind], workloadOf(plan, this));
  }

  /** A new release, or a new run. */
  async beginRound(): Promise<void> {
    const { namespace, plan } = this;
    this.#round += 1;
    if (plan.kind === 'HookRun') {
      await this.#make(hookRuns, hookRunOf(plan, namespace, `run-${this.#round}`));
      return;
    }
    if (this.workload() === undefined) await this.#make(resources[plan.kind], workloadOf(plan, this));
    await this.#template({ tag: (this.#tag % 4) + 1 });
  }

  async happen(happening: HappeningPlan): Promise<void> {
    if (isRunHappening(happening)) return happenToRun(this, this.#cluster, happening);
    switch (happening.type) {
      case 'hooks':
        this.#cluster.hooks.behaviours.set(this.namespace, happening.answer);
        return;
      case 'act':
        return this.#act(happening.verb);
      case 'delete':
        if (this.plan.kind === 'HookRun') return;
        return this.#remove(resources[this.plan.kind], this.name, happening.policy);
      case 'delete-pod':
      case 'hurt-pod':
      case 'break-glass':
        return this.#happenToPod(happening);
      case 'evict-pod':
      case 'delete-claim':
      case 'break-workload-glass':
        return disrupt(
          { cluster: this.#cluster, namespace: this.namespace, workload: this.workload() },
          happening,
        );
      default:
        return this.#edit(happening);
    }
  }

  /** What users write into the workload. */
  async #edit(edit: WorkloadEdit): Promise<void> {
    switch (edit.type) {
      case 'image':
        return this.#template({ tag: edit.tag });
      case 'env':
        return this.#template({ env: edit.value });
      case 'replicas':
        return this.#patch({ spec: { replicas: edit.count } });
      case 'steps':
        return this.#patch({ spec: { updateStrategy: { canary: { steps: walks[edit.walk] ?? [] } } } });
      case 'limits':
        return this.#patch({ spec: { updateStrategy: this.#limits(edit) } });
      case 'paused':
        if (!edit.isPaused) this.#approve('unpause');
        return this.#patch({ spec: { updateStrategy: { paused: edit.isPaused } } });
      case 'touch':
        return this.#patch({ metadata: { annotations: { touched: String(this.#cluster.now) } } });
    }
  }

  async #happenToPod(
    happening: Extract<HappeningPlan, { readonly type: 'delete-pod' | 'hurt-pod' | 'break-glass' }>,
  ): Promise<void> {
    const all = this.stored('/pods');
    const going = happening.type === 'break-glass' ? all.filter(isDeleting) : [];
    const chosen = going.length > 0 ? going : all.filter((pod) => !isDeleting(pod));
    const pod = chosen[happening.which % Math.max(1, chosen.length)];
    if (pod === undefined) return;
    if (happening.type === 'hurt-pod') {
      if (textAt(pod, 'status', 'phase') === 'Running') this.#cluster.server.hurt(pod, happening.how);
      return;
    }
    // Who breaks the glass has a hook that does not let the pod go.
    if (happening.type === 'break-glass') this.#cluster.hooks.behaviours.set(this.namespace, 'bad');
    if (!isDeleting(pod)) {
      this.#cluster.userDeletes(pod);
      await this.#remove(pods, nameOf(pod), 'Background');
    }
    if (happening.type === 'delete-pod') return;
    const value = happening.isReadable ? 'alice: node is on fire' : 'please';
    const patch = {
      type: 'merge',
      body: { metadata: { annotations: { [breakGlassAnnotation]: value } } },
    } as const;
    const key = { namespace: this.namespace, name: nameOf(pod) };
    await this.#until(this.#cluster.client.patch(pods, key, patch, never));
  }

  #limits({
    maxUnavailable,
    maxSurge,
  }: {
    readonly maxUnavailable: number | string;
    readonly maxSurge: number | string;
  }): JsonObject {
    const limits = { maxUnavailable, maxSurge };
    return this.plan.kind === 'GameStatefulSet' ? { rollingUpdate: limits } : limits;
  }

  async #template({
    tag = this.#tag,
    env = this.#env,
  }: {
    readonly tag?: number;
    readonly env?: string | undefined;
  }): Promise<void> {
    this.#tag = tag;
    this.#env = env;
    await this.#patch({ spec: { template: templateOf(String(tag), { env, name: this.name }) } });
  }

  async #act(verb: ActVerb): Promise<void> {
    const workload = this.workload();
    if (workload === undefined) return;
    if (verb === 'promote') this.#approve('promote');
    this.#acts += 1;
    const act = {
      id: `a${this.#acts}`,
      verb,
      target: actTargetOf(workload),
      by: 'alice',
      time: '2026-01-05T12:00:00Z',
    };
    await this.#patch({ metadata: { annotations: { [actAnnotation]: printAct(act) } } });
  }

  /** A user lets the release continue. */
  #approve(how: Approval): void {
    this.#cluster.steps.approve(objectKey(this.namespace, this.name), how, this.#cluster.now);
  }

  /** What is not as declared; undefined: all is. */
  lack(): string | undefined {
    if (this.plan.kind === 'HookRun') return this.#runLack();
    const workload = this.workload();
    if (workload === undefined) return this.#leftovers();
    if (isDeleting(workload)) return 'is still being deleted';
    if (textAt(workload, 'status', 'phase') !== 'Complete')
      return `is ${textAt(workload, 'status', 'phase') ?? 'without a phase'}`;
    if (numberAt(workload, 'status', 'observedGeneration') !== numberAt(workload, 'metadata', 'generation'))
      return 'has a status of another generation';
    return this.#podLack(workload);
  }

  #podLack(workload: KubeObject): string | undefined {
    const replicas = numberAt(workload, 'spec', 'replicas') ?? 1;
    const isStateful = this.plan.kind === 'GameStatefulSet';
    // As with a ReplicaSet, failed pods of a GameDeployment are left to whoever wants to look at them.
    const all = this.stored('/pods').filter(
      (pod) => isStateful || isDeleting(pod) || textAt(pod, 'status', 'phase') !== 'Failed',
    );
    if (all.length !== replicas || all.some(isDeleting))
      return `has ${all.length} pods in place of ${replicas}`;
    const failed = all.find((pod) => textAt(pod, 'status', 'phase') === 'Failed');
    if (failed !== undefined) return `has the failed pod ${nameOf(failed)}`;
    if (isStateful && !all.every((pod) => ordinalOf(pod) < replicas)) return 'has pods of other ordinals';
    return contentLack(workload, all) ?? this.#strayRun(workload);
  }

  /** A run about a pod that is gone, or of a workload that is gone, has nobody who waits for it. */
  #strayRun(workload: KubeObject): string | undefined {
    const pods = new Set(this.stored('/pods').map(uidOf));
    const stray = this.stored(storages.HookRun).find((run) => {
      const { 'boathook.dev/instance': instance, 'boathook.dev/pod-uid': pod = '' } = labelsOf(run);
      if ((labelsOf(run)[workloadUidLabel] ?? uidOf(workload)) !== uidOf(workload)) return true;
      return instance !== undefined && controllerOf(run) !== undefined && !pods.has(pod);
    });
    return stray === undefined
      ? undefined
      : `is complete, and HookRun ${nameOf(stray)} of a former pod is left`;
  }

  #runLack(): string | undefined {
    const run = this.stored(storages.HookRun).find((each) => nameOf(each) === `run-${this.#round}`);
    if (run === undefined) return `has no run run-${this.#round}`;
    const phase = textAt(run, 'status', 'phase') ?? '';
    return finalPhases.has(phase) ? undefined : `has a run that is ${phase || 'without a phase'}`;
  }

  /** After a deletion nothing that belonged to the workload is left. */
  #leftovers(): string | undefined {
    for (const storage of ['/pods', storages.HookRun, 'apps/controllerrevisions']) {
      const owned = this.stored(storage).filter(
        (each) =>
          listAt(each, 'metadata', 'ownerReferences').length > 0 ||
          // Runs that are made while the workload is being deleted have no owner.
          labelsOf(each)[workloadUidLabel] !== undefined,
      );
      const held = this.stored(storage).filter((each) => isDeleting(each));
      const [first] = [...owned, ...held];
      if (first !== undefined) return `is deleted, and ${storage} ${nameOf(first)} is left`;
    }
    return undefined;
  }

  /** Whether it says why it does not go on by itself. */
  hasReason(): boolean {
    const workload = this.workload();
    if (workload === undefined || isDeleting(workload)) return true;
    const isSeen =
      numberAt(workload, 'status', 'observedGeneration') === numberAt(workload, 'metadata', 'generation');
    if (!isSeen || (textAt(workload, 'status', 'message') ?? '') === '') return false;
    const reason = textAt(workload, 'status', 'reason') ?? '';
    if (reason === 'BlockedByDisruptionBudget') return !this.#allowsDisruption();
    return waitingPhases.has(textAt(workload, 'status', 'phase') ?? '') || waitingReasons.has(reason);
  }

  /** Whether the budget lets a release go on by itself. */
  #allowsDisruption(): boolean {
    return this.stored('policy/poddisruptionbudgets').every(
      (budget) => (numberAt(budget, 'status', 'disruptionsAllowed') ?? 0) > 0,
    );
  }

  /** A user who wants the release to go on does what its status asks for. */
  async goOn(): Promise<void> {
    const workload = this.workload();
    if (workload === undefined || this.plan.kind === 'HookRun') return;
    const reason = textAt(workload, 'status', 'reason') ?? '';
    const awaited = awaitedDeletion(workload);
    if (awaited !== undefined) return this.#remove(pods, awaited, 'Background');
    if (reason === 'Aborted') return this.#template({ tag: (this.#tag % 4) + 1 });
    if (reason === 'InPlaceImpossible')
      return this.#patch({ spec: { updateStrategy: { type: 'InplaceIfPossible' } } });
    if (reason === 'BlockedByDisruptionBudget') return this.#remove(budgets, 'b', 'Background');
    const needsApproval = textAt(workload, 'spec', 'updateStrategy', 'resumePolicy') === 'Approval';
    if (needsApproval && ['PausedByCanaryPauseStep', 'PausedByStepBasedHook'].includes(reason))
      return this.#act('promote');
    this.#approve('unpause');
    return this.#patch(continued(workload));
  }

  /** Objects of its namespace without those of another workload there. */
  readonly stored = (storage: string): readonly KubeObject[] =>
    this.#cluster.server
      .stored(storage, this.namespace)
      .filter((object) => (ownerNameOf(object) ?? this.name) === this.name);

  workload(): KubeObject | undefined {
    return this.plan.kind === 'HookRun'
      ? undefined
      : this.stored(storages[this.plan.kind]).find((each) => nameOf(each) === this.name);
  }

  /** Writes of users of a workload that is gone have no effect. */
  async #patch(body: JsonObject): Promise<void> {
    if (this.plan.kind === 'HookRun') return;
    const key = { namespace: this.namespace, name: this.name };
    const outcome = await this.#until(
      this.#cluster.client.patch(resources[this.plan.kind], key, { type: 'merge', body }, never),
    );
    if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Error(outcome.message);
  }

  async #make(resource: Resource, object: JsonObject): Promise<void> {
    const outcome = await this.#until(this.#cluster.client.create(resource, object, never));
    if (outcome.type !== 'ok') throw new Error(outcome.message);
  }

  async #remove(
    resource: Resource,
    name: string,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    await this.#until(
      this.#cluster.client.remove(resource, { namespace: this.namespace, name }, never, {
        propagationPolicy,
      }),
    );
  }

  #until(asked: Promise<Outcome>): Promise<Outcome> {
    return this.#cluster.asked(asked);
  }
}

/** How pods differ from the template of a workload whose pods must all be updated. */
function contentLack(workload: KubeObject, all: readonly KubeObject[]): string | undefined {
  const wanted = contentOf(objectAt(workload, 'spec', 'template') ?? {});
  if (!all.every((pod) => contentOf(pod) === wanted)) return `has pods with other containers than ${wanted}`;
  const revision = textAt(workload, 'status', 'updateRevision');
  if (!all.every((pod) => labelsOf(pod)[revisionLabel] === revision))
    return `has pods of another revision than ${revision ?? ''}`;
  return all.every(isReady) ? undefined : 'has pods that are not ready';
}

/** A pod or a run that nobody owns has a label of its workload. */
const ownerNameOf = (object: KubeObject): string | undefined =>
  controllerOf(object)?.name ?? labelsOf(object)['app'] ?? labelsOf(object)['boathook.dev/workload'];
/** What the simulation changes of containers: the image and the env. */
const contentOf = (pod: JsonObject): string =>
  printJson(
    listAt(pod, 'spec', 'containers').map((each) => ({
      name: textAt(each, 'name') ?? '',
      image: textAt(each, 'image') ?? '',
      env: listAt(each, 'env'),
    })),
  );
const ordinalOf = (pod: KubeObject): number => Number(nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1));
const isReady = (pod: KubeObject): boolean => isConditionTrue(pod, 'Ready');
