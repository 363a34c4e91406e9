import { reconcileObject } from '#loop/reconcile-object.ts';
import { listAt, textAt } from '#base/json.ts';
import { runController, type Controller } from '#loop/controller.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { type Next } from '#loop/work-queue.ts';
import { normal, warning } from '#loop/note.ts';
import { isControlledBy } from '#kube/workload/owner.ts';
import { ownedSource, ownerIndexes, ownSource } from '#loop/owned/owned.ts';
import { cronJobs, jobs } from '#loop/owned/resources.ts';
import { until } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { isTerminating, Refused, removeObject, writeStatus } from '#loop/owned/write.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { decideCronJob, replacedJobs, startedStatus, type CronDecision } from './decide.ts';
import { knownZones, type TimeZones } from './time-zones.ts';

/** Creates jobs on a schedule. */
export function cronJobController(deps: WorkloadDeps, zones: TimeZones = knownZones): Controller {
  const work = new CronWork(deps, zones);
  return runController({
    name: 'cronjob',
    ...loopParts(deps),
    sources: [ownSource(work.crons), ownedSource(work.jobs, 'CronJob', work.crons)],
    reconcile: reconcileObject(work.crons, {
      reconcile: (cron, signal) => work.reconcile(cron, signal),
    }),
  });
}

class CronWork {
  readonly crons: Informer;
  readonly jobs: Informer;
  readonly #deps: WorkloadDeps;
  readonly #zones: TimeZones;
  readonly #events: EventRecorder;

  constructor(deps: WorkloadDeps, zones: TimeZones) {
    this.#deps = deps;
    this.#zones = zones;
    this.crons = deps.informers.informer({ resource: cronJobs });
    this.jobs = deps.informers.informer({ resource: jobs, indexes: ownerIndexes });
    this.#events = deps.recorder('cronjob-controller');
  }

  async reconcile(cron: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const snapshot = { cron, jobs: await this.#jobsOf(cron, signal), zones: this.#zones };
    const decision = decideCronJob(snapshot, clock.now());
    for (const note of decision.notes) this.#events.record(cron, note);
    for (const job of [...decision.remove, ...replacedJobs(snapshot, decision)]) {
      await this.#remove(cron, job, signal);
    }
    const status = await this.#start(cron, decision, signal);
    await writeStatus(client, cronJobs, { object: cron, status }, signal);
    return until(clock, decision.wakeAt);
  }

  /** Jobs that are in the status but not in the cache are read from the server: the cache may be stale. */
  async #jobsOf(cron: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const cached = this.jobs.byIndex('controller', uidOf(cron));
    const known = new Set(cached.map(uidOf));
    const found: KubeObject[] = [];
    for (const reference of listAt(cron, 'status', 'active')) {
      const uid = textAt(reference, 'uid') ?? '';
      if (known.has(uid)) continue;
      const key = { namespace: namespaceOf(cron), name: textAt(reference, 'name') ?? '' };
      const outcome = await this.#deps.client.get(jobs, key, signal);
      if (outcome.type === 'ok' && uidOf(outcome.object) === uid) found.push(outcome.object);
    }
    return [...cached, ...found];
  }

  async #start(cron: KubeObject, decision: CronDecision, signal: AbortSignal): Promise<KubeObject> {
    const { create, status } = decision;
    if (create === undefined) return status;
    const outcome = await this.#deps.client.create(jobs, create.job, signal);
    if (outcome.type === 'ok') {
      this.#events.record(cron, normal('SuccessfulCreate', `Created job ${nameOf(outcome.object)}`));
      return startedStatus(status, outcome.object, create.at);
    }
    if (outcome.type !== 'exists') {
      if (isTerminating(outcome)) return status;
      this.#events.record(cron, warning('FailedCreate', `Error creating job: ${outcome.message}`));
      throw new Refused(outcome);
    }
    // Created before, but missing in the status.
    const key = { namespace: namespaceOf(cron), name: nameOf(create.job) };
    const found = await this.#deps.client.get(jobs, key, signal);
    const isOurs = found.type === 'ok' && isControlledBy(found.object, cron);
    return isOurs ? startedStatus(status, found.object, create.at) : status;
  }

  async #remove(cron: KubeObject, job: KubeObject, signal: AbortSignal): Promise<void> {
    const result = await removeObject(this.#deps.client, jobs, job, signal);
    if (result === 'removed')
      this.#events.record(cron, normal('SuccessfulDelete', `Deleted job ${nameOf(job)}`));
  }
}
