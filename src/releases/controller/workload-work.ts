import { objectAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { leanRun } from '#hooks/decide/run-object.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { statusWithFailure } from '#releases/decide/conditions.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import { splitKey } from '#loop/delta.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { Newest } from '#loop/owned/newest.ts';
import { around, claimOwned, ownerIndexes } from '#loop/owned/owned.ts';
import { PodsRefused, type Trouble } from '#loop/owned/pod-writer.ts';
import { budgets, claims, namespaces, nodes, pods, revisions } from '#loop/owned/resources.ts';
import { ensureRevision } from '#loop/owned/revision-writer.ts';
import { untilSeen } from '#loop/owned/until.ts';
import { Refused, removeObject, replaceStatus } from '#loop/owned/write.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { isDeleting, nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { longestLabel } from '#kube/workload/fitted.ts';
import { superfluousRevisions, updateRevision } from '#kube/workload/revisions.ts';
import { applyActions } from './apply-actions.ts';
import { Disruptions } from './disruptions.ts';
import { finalizerIndexes, releaseOrphans, releaseStrays } from './orphans.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { runsOf, workloadIndexes } from './workload-runs.ts';

const hashLabel = 'controller.kubernetes.io/hash';

/** One look after another at the workloads of a kind: see, decide, act, write. */
export class WorkloadWork {
  readonly workloads: Informer;
  readonly pods: Informer;
  readonly revisions: Informer;
  readonly runs: Informer;
  readonly templates: Informer;
  readonly nodes: Informer;
  /** Of workloads that have them. */
  readonly claims: Informer | undefined;
  readonly expectations: Expectations;
  readonly newest = new Newest();
  readonly disruptions: Disruptions;
  readonly #kind: WorkloadKind;
  readonly #deps: ControlDeps;
  readonly #events: EventRecorder;

  constructor(deps: ControlDeps, kind: WorkloadKind) {
    this.#deps = deps;
    this.#kind = kind;
    const { informers } = deps;
    this.workloads = informers.informer({ resource: kind.resource });
    this.pods = informers.informer({ resource: pods, indexes: { ...ownerIndexes, ...finalizerIndexes } });
    this.revisions = informers.informer({ resource: revisions, indexes: ownerIndexes });
    this.runs = informers.informer({
      resource: hookRuns,
      indexes: { ...ownerIndexes, ...workloadIndexes },
      lean: leanRun,
    });
    this.templates = informers.informer({ resource: hookTemplates });
    this.nodes = informers.informer({ resource: nodes });
    this.claims = kind.hasClaims ? informers.informer({ resource: claims }) : undefined;
    this.expectations = createExpectations(deps.clock);
    this.#events = deps.recorder(kind.component);
    this.disruptions = new Disruptions(informers.informer({ resource: budgets }));
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const { namespace, name } = splitKey(key);
    const shown = this.workloads.get(namespace, name);
    await releaseStrays(client, this.pods, { namespace, name }, signal);
    if (shown === undefined) {
      this.expectations.forget(key);
      await releaseOrphans(client, this.pods, { kind: this.#kind.kind, namespace, name }, signal);
      return settled;
    }
    const workload = this.newest.of(shown);
    // Asked before the cache is read: what is seen while this look waits is not in what it read.
    const isUpToDate = this.expectations.pending(key) === 0;
    const known = await this.#owned(workload, this.revisions, signal);
    const found = await this.#revision(workload, known, signal);
    if (found === undefined) return settled;
    const snapshot = await this.#snapshot(workload, { updateRevision: found.revision, known }, signal);
    const decision = this.#kind.decide(snapshot, (claim) => this.claims?.get(namespace, claim));
    if (decision.isWaitingForBudget) this.disruptions.waits(namespace, key);
    const trouble = (await this.#action(key, snapshot, { decision, isUpToDate }, signal)) ?? found.trouble;
    for (const { pod, ...notes } of decision.notes) this.#events.record(pod ?? workload, notes);
    await this.#write(workload, decision, trouble, signal);
    await this.#truncate(snapshot, signal);
    if (trouble !== undefined) throw new PodsRefused(trouble);
    return untilSeen(clock, decision.wakeAt, this.expectations.pending(key));
  }

  /**
   * The revision that pods are brought to. While the server refuses the one of the template, the last one stays: its
   * pods are healed and scaled as before. Undefined: the cache was behind, and news will come.
   */
  async #revision(
    workload: KubeObject,
    known: readonly KubeObject[],
    signal: AbortSignal,
  ): Promise<{ readonly revision: KubeObject; readonly trouble?: Trouble } | undefined> {
    const { resource } = this.#kind;
    const wanted = { workload, resource, known, hashLabel, longestName: longestLabel };
    // The garbage collector may delete revisions first: they are not made again.
    if (isDeleting(workload)) return { revision: updateRevision(workload, known, wanted).revision };
    try {
      const revision = await ensureRevision(this.#deps.client, wanted, signal);
      return revision === undefined ? undefined : { revision };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const last = textAt(workload, 'status', 'updateRevision');
      const revision = known.find((each) => nameOf(each) === last);
      if (revision === undefined) throw error;
      const message = `The server refuses the ControllerRevision of the template: ${error.message}. Pods of ${nameOf(revision)} are kept. Correct the template.`;
      return { revision, trouble: { reason: 'FailedCreate', message } };
    }
  }

  #action(
    key: string,
    snapshot: WorkloadSnapshot,
    { decision, isUpToDate }: { readonly decision: Decision; readonly isUpToDate: boolean },
    signal: AbortSignal,
  ): Promise<Trouble | undefined> {
    const deps = {
      client: this.#deps.client,
      clock: this.#deps.clock,
      random: this.#deps.random,
      events: this.#events,
      newest: this.newest,
      disruptions: this.disruptions,
      expectations: this.expectations,
      pods: this.pods,
      kind: this.#kind,
    };
    return applyActions(deps, { key, snapshot, actions: decision.actions, isUpToDate }, signal);
  }

  async #snapshot(
    workload: KubeObject,
    { updateRevision, known }: { readonly updateRevision: KubeObject; readonly known: readonly KubeObject[] },
    signal: AbortSignal,
  ): Promise<WorkloadSnapshot> {
    const namespace = namespaceOf(workload);
    const owned = await this.#owned(workload, this.pods, signal);
    const others = known.filter((each) => nameOf(each) !== nameOf(updateRevision));
    return {
      workload,
      updateRevision,
      revisions: [...others, updateRevision],
      pods: owned.map((pod) => this.newest.of(pod)),
      runs: runsOf(this.runs, workload),
      isRunName: (name) => this.runs.get(namespace, name) !== undefined,
      // The server has checked it against the schema that the type was made from.
      template: (name) => this.templates.get(namespace, name) as unknown as HookTemplate | undefined,
      node: (name) => this.nodes.get('', name),
      budgets: this.disruptions.of(namespace),
      isNamespaceEnding: isDeleting(workload) && (await this.#isEnding(namespace, signal)),
      hostIP: this.#deps.hostIP ?? '',
      now: this.#deps.clock.now(),
    };
  }

  /** Of workloads that are being deleted: in a namespace that goes no HookRun can be created. */
  async #isEnding(name: string, signal: AbortSignal): Promise<boolean> {
    const found = await this.#deps.client.get(namespaces, { namespace: '', name }, signal);
    return found.type === 'not-found' || (found.type === 'ok' && isDeleting(found.object));
  }

  #owned(workload: KubeObject, informer: Informer, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const resources = { owner: this.#kind.resource, owned: informer.resource };
    const objects = around(informer, workload);
    return claimOwned(this.#deps.client, resources, { owner: workload, objects }, signal);
  }

  /** The spec first: whoever sees why it is paused also sees that it is. */
  async #write(
    workload: KubeObject,
    { spec, status, finalizers }: Decision,
    trouble: Trouble | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, clock } = this.#deps;
    const { resource } = this.#kind;
    const change = {
      ...(finalizers !== undefined && { metadata: { finalizers } }),
      ...(spec !== undefined && { spec }),
    };
    const isChanged = Object.keys(change).length > 0;
    const base = isChanged ? await this.#change(workload, change, signal) : workload;
    if (base === undefined) return;
    const observedGeneration = numberAt(base, 'metadata', 'generation') ?? 0;
    const told = { ...status, observedGeneration };
    const next = statusWithFailure(workload, told, trouble, clock.now());
    const written = await replaceStatus(client, resource, { object: base, status: next }, signal);
    if (written === undefined) this.newest.forget(uidOf(base));
    else this.newest.note(written);
  }

  async #change(
    workload: KubeObject,
    { metadata, ...change }: { readonly metadata?: JsonObject; readonly spec?: JsonObject },
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const key = { namespace: namespaceOf(workload), name: nameOf(workload) };
    const body = { metadata: { ...metadata, resourceVersion: resourceVersionOf(workload) }, ...change };
    const outcome = await this.#deps.client.patch(this.#kind.resource, key, { type: 'merge', body }, signal);
    if (outcome.type === 'ok') {
      this.newest.note(outcome.object);
      return outcome.object;
    }
    this.newest.forget(uidOf(workload));
    // Somebody else was faster: news of it will come.
    if (outcome.type === 'conflict' || outcome.type === 'not-found') return undefined;
    throw new Refused(outcome);
  }

  /** Old revisions that no pod and no status refers to go, beyond the limit of the history. */
  async #truncate(
    { workload, revisions: all, updateRevision, pods: owned }: WorkloadSnapshot,
    signal: AbortSignal,
  ): Promise<void> {
    const limit = numberAt(workload, 'spec', 'revisionHistoryLimit') ?? 10;
    if (all.length <= limit) return;
    const canary = objectAt(workload, 'status', 'canary');
    const live = new Set([
      nameOf(updateRevision),
      textAt(workload, 'status', 'currentRevision'),
      textAt(canary, 'revision'),
      ...owned.map((pod) => releasePodOf(pod).revision),
    ]);
    const old = superfluousRevisions(all, (revision) => live.has(nameOf(revision)), limit);
    for (const revision of old) await removeObject(this.#deps.client, revisions, revision, signal);
  }
}
