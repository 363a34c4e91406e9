import { numberAt } from '#base/json.ts';
import { millis, type Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { splitKey } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { warning } from '#loop/note.ts';
import { Newest } from '#loop/owned/newest.ts';
import { around, claimOwned } from '#loop/owned/owned.ts';
import { PodsRefused, type PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { isStale } from '#loop/owned/write.ts';
import { untilSeen } from '#loop/owned/until.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { endedReleases } from '#releases/decide/history/ended-releases.ts';
import { withoutCounted } from '#releases/decide/counted.ts';
import type { Decision } from '#releases/decide/snapshot.ts';
import { applyActions, type ActionOrder } from './apply-actions.ts';
import { Disruptions } from './disruptions.ts';
import { informerReader } from './informer-reader.ts';
import { LostRequests } from './lost-requests.ts';
import { missingRevisions, readRevisions } from './missing-revisions.ts';
import { OtherControllers } from './other-controllers.ts';
import { releaseOrphans, releaseStrays } from './orphans.ts';
import { ReleaseMetrics } from './release-metrics.ts';
import { applyAndRecord } from './apply-and-record.ts';
import { SettlePace } from './settle-pace.ts';
import { lostAgain } from './lost-again.ts';
import { settleWrites } from './settle-writes.ts';
import { ensureUpdateRevision } from './update-revision.ts';
import { workloadInformers, workloadsIn, type WorkloadInformers } from './workload-informers.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { readWorkloadSnapshot } from './workload-snapshot.ts';
import { deleteFormerRuns } from './workload-runs.ts';
import { withWriters } from './workload-writers.ts';
import { truncateRevisions, writeTrouble, writeWorkload } from './write-workload.ts';

/** From so many attempts in a row on a lost write is reported: a short loss is none of its user's business. */
const reportedAttempt = 4;

/** Reconciles the workloads of a kind: claim, read a snapshot, decide, apply the actions, write the workload. */
export class WorkloadReconciler {
  readonly informers: WorkloadInformers;
  readonly expectations: Expectations;
  readonly newest = new Newest();
  readonly disruptions: Disruptions;
  readonly #lost: LostRequests;
  readonly #kind: WorkloadKind;
  readonly #deps: ControlDeps;
  readonly #events: EventRecorder;
  readonly #metrics: ReleaseMetrics | undefined;
  readonly #others: OtherControllers;
  readonly #settlePace: SettlePace;

  constructor(deps: ControlDeps, kind: WorkloadKind) {
    this.#deps = deps;
    this.#kind = kind;
    this.informers = workloadInformers(deps, kind);
    this.expectations = createExpectations(deps.clock);
    this.#settlePace = new SettlePace(deps.clock);
    this.#lost = new LostRequests(this.informers);
    this.#events = deps.recorder(kind.component);
    this.disruptions = new Disruptions({
      ...this.informers,
      owners: deps.owns && workloadsIn(deps.informers),
    });
    this.#others = new OtherControllers({ ...deps, events: this.#events, kind: kind.kind });
    this.#metrics = deps.metrics && new ReleaseMetrics(deps.metrics, kind.kind);
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const shown = this.informers.workloads.get(namespace, name);
    await this.#cleanUp(key, shown, signal);
    if (shown === undefined) return settled;
    const workload = this.newest.of(shown);
    const left = this.#others.leftFor(key) ?? this.#beginAttempt(key, workload);
    if (left > 0) return wake(left);
    try {
      await this.#settleWrites(key, signal);
      return await this.#decideAndApply(key, workload, signal);
    } catch (error) {
      if (!signal.aborted) await this.#reportLost(key, workload, error, signal);
      throw error;
    }
  }

  async #decideAndApply(key: string, workload: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const { newest, expectations } = this;
    const { namespace, name } = splitKey(key);
    // Before the informers are read: what they show later is not in the snapshot.
    const isBehind = expectations.pending(key) > 0;
    const known = await this.#claimRevisions(workload, signal);
    const { resource } = this.#kind;
    const found = await ensureUpdateRevision(client, { workload, resource, known }, signal);
    if (found === undefined) return settled;
    const signed = await withWriters({ client, resource }, workload, found.revision, signal);
    if (signed === undefined) return settled;
    const pods = await this.#claim(workload, this.informers.pods, signal);
    const claimed = { workload: signed, revisions: known, updateRevision: found.revision, pods };
    const { informers } = this;
    const reader = informerReader({ informers, newest, client }, claimed, signal);
    const { hostIP } = this.#deps;
    const snapshot = await readWorkloadSnapshot(
      reader,
      { namespace, name },
      { now: () => clock.now(), hostIP },
    );
    if (snapshot === undefined) return settled;
    // Nothing waits from here until disruptions are planned: workloads that share a budget do not spend the same one.
    const budgets = this.disruptions.of(namespace);
    const decision = this.#kind.decide({ ...snapshot, isBehind, budgets });
    const { notes, actions } = isBehind ? withoutCounted(decision) : decision;
    const again = decision.isWaitingForBudget ? this.disruptions.waits(namespace, key) : millis(0);
    const applied = await applyAndRecord(
      notes,
      ({ pod, ...note }) => this.#events.record(pod ?? workload, note),
      () => this.#apply({ key, snapshot, actions }, signal),
    );
    const trouble = applied ?? found.trouble;
    const write = { client, clock, newest, resource };
    const written = await writeWorkload(write, workload, { ...decision, trouble }, signal);
    if (written !== undefined) {
      this.#noteEnded(key, workload, decision);
      this.#others.look(key, written);
    }
    await truncateRevisions(client, snapshot, signal);
    if (trouble !== undefined) throw new PodsRefused(trouble);
    return untilSeen(clock, decision.wakeAt, this.#pending(key, again));
  }

  /** Begins an attempt to settle lost requests and returns 0, or returns how long it has to wait. */
  #beginAttempt(key: string, workload: KubeObject): Millis {
    const generation = numberAt(workload, 'metadata', 'generation') ?? 0;
    return this.#settlePace.begin(key, { ids: this.#lost.idsOf(key), generation });
  }

  #settleWrites(key: string, signal: AbortSignal): Promise<void> {
    const { client } = this.#deps;
    const { newest, expectations, informers } = this;
    const { disrupted } = this.disruptions;
    const deps = { client, informer: informers.pods, newest, expectations, disrupted, lost: this.#lost };
    return settleWrites(deps, key, signal);
  }

  /** Says in the status and an event that a write is lost again and again, or cannot be settled: nothing was decided. */
  async #reportLost(key: string, shown: KubeObject, error: unknown, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#deps;
    const { newest } = this;
    if (this.#settlePace.count(key) < reportedAttempt || error instanceof PodsRefused || isStale(error))
      return;
    const { reason, message } = lostAgain(error);
    this.#events.record(shown, warning(reason, message));
    const { resource } = this.#kind;
    await writeTrouble({ client, clock, newest, resource }, newest.of(shown), { reason, message }, signal);
  }

  /** What workloads that are gone have left: pods and HookRuns without an owner. */
  async #cleanUp(key: string, shown: KubeObject | undefined, signal: AbortSignal): Promise<void> {
    const { client } = this.#deps;
    const { pods } = this.informers;
    const { namespace, name } = splitKey(key);
    const owner = { kind: this.#kind.kind, namespace, name };
    await releaseStrays(client, pods, { namespace, name }, signal);
    await deleteFormerRuns(client, this.informers, owner, signal);
    if (shown !== undefined) return;
    this.expectations.forget(key);
    this.#lost.forget(key);
    this.#settlePace.forget(key);
    this.#others.forget(key);
    await releaseOrphans(client, pods, owner, signal);
  }

  /** Own pods that are not seen yet come first. */
  #pending(key: string, again: Millis): Millis {
    const pending = this.expectations.pending(key);
    return pending > 0 ? pending : again;
  }

  #noteEnded(key: string, workload: KubeObject, { status }: Decision): void {
    for (const release of endedReleases(workload, status)) {
      this.#metrics?.ended(release);
      this.#deps.report('a release ended', { kind: this.#kind.kind, key, ...release }, 'info');
    }
  }

  #apply(order: ActionOrder, signal: AbortSignal): Promise<PodWriteFailure | undefined> {
    const { client, clock, random } = this.#deps;
    const deps = {
      client,
      clock,
      random,
      events: this.#events,
      newest: this.newest,
      disruptions: this.disruptions,
      expectations: this.expectations,
      lost: this.#lost,
      kind: this.#kind,
    };
    return applyActions(deps, order, signal);
  }

  /** The revisions of a workload, also those that the informer does not show yet. */
  async #claimRevisions(workload: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const shown = await this.#claim(workload, this.informers.revisions, signal);
    const missing = missingRevisions(workload, shown);
    if (missing.length === 0) return shown;
    return [...shown, ...(await readRevisions(this.#deps.client, workload, missing, signal))];
  }

  /** Adopts and releases objects by the selector of the workload; returns those that it owns. */
  #claim(workload: KubeObject, informer: Informer, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const resources = { owner: this.#kind.resource, owned: informer.resource };
    const objects = around(informer, workload);
    return claimOwned(this.#deps.client, resources, { owner: workload, objects }, signal);
  }
}
