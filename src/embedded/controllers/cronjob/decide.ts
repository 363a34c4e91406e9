import { isConditionTrue } from '#kube/conditions.ts';
import {
  at,
  listAt,
  numberAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { formatTime, later, millis, parseTime, seconds, type Instant } from '#base/time.ts';
import { normal, warning, type Note } from '#loop/note.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { createdAt } from '#kube/workload/pod-facts.ts';
import {
  annotationsOf,
  apiVersionOf,
  isDeleting,
  kindOf,
  labelsOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { dueTime } from './missed.ts';
import { parseSchedule, ScheduleError, type Offset, type Schedule } from './schedule.ts';
import type { TimeZones } from './time-zones.ts';

export type CronJobSnapshot = {
  readonly cron: KubeObject;
  /** The jobs it controls. */
  readonly jobs: readonly KubeObject[];
  readonly zones: TimeZones;
};

export type CronDecision = {
  readonly create: { readonly job: KubeObject; readonly at: Instant } | undefined;
  /** Old jobs beyond the limits, and those that make place for a new one. */
  readonly remove: readonly KubeObject[];
  readonly status: JsonObject;
  readonly notes: readonly Note[];
  readonly wakeAt: Instant | undefined;
};

/** A moment past the full second, so that it has surely come. */
const after = millis(100);

export function decideCronJob(snapshot: CronJobSnapshot, now: Instant): CronDecision {
  const { cron, jobs } = snapshot;
  const notes: Note[] = [];
  const history = outdated(cron, jobs);
  const status = settledStatus(cron, jobs, notes);
  const idle: CronDecision = { create: undefined, remove: history, status, notes, wakeAt: undefined };
  if (isDeleting(cron) || at(cron, 'spec', 'suspend') === true) return idle;
  const plan = planOf(snapshot, notes);
  if (plan === undefined) return idle;
  const { latest, next, isTooMany } = dueTime(cron, plan.schedule, plan.offset, now);
  const waiting = { ...idle, wakeAt: next === undefined ? undefined : later(next, after) };
  if (isTooMany) notes.push(warning('TooManyMissedTimes', tooMany));
  if (latest === undefined) return waiting;
  return begin(cron, waiting, { at: latest, offset: plan.offset(latest) }, now);
}

const tooMany =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';

function planOf(
  { cron, zones }: CronJobSnapshot,
  notes: Note[],
): { schedule: Schedule; offset: Offset } | undefined {
  const text = textAt(cron, 'spec', 'schedule') ?? '';
  const zone = textAt(cron, 'spec', 'timeZone') ?? '';
  const offset = zones(zone);
  if (offset === undefined) {
    notes.push(warning('UnknownTimeZone', `invalid timeZone: "${zone}": unknown time zone ${zone}`));
    return undefined;
  }
  try {
    return { schedule: parseSchedule(text), offset };
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    notes.push(warning('UnparseableSchedule', `unparseable schedule: "${text}" : ${error.message}`));
    return undefined;
  }
}

/** A time has come: whether a job starts for it. */
function begin(cron: KubeObject, waiting: CronDecision, time: LocalTime, now: Instant): CronDecision {
  const due = time.at;
  const deadline = numberAt(cron, 'spec', 'startingDeadlineSeconds');
  if (deadline !== undefined && later(due, seconds(deadline)) < now) {
    const missed = warning('MissSchedule', `Missed scheduled time to start a job: ${printedTime(due)}`);
    return { ...waiting, notes: [...waiting.notes, missed] };
  }
  const name = `${nameOf(cron)}-${Math.floor(due / 60_000)}`;
  const active = listAt(waiting.status, 'active');
  const isStarted =
    active.some((each) => textAt(each, 'name') === name) ||
    parseTime(textAt(cron, 'status', 'lastScheduleTime') ?? '') === due;
  if (isStarted) return waiting;
  const policy = textAt(cron, 'spec', 'concurrencyPolicy');
  if (policy === 'Forbid' && active.length > 0) {
    const busy = normal('JobAlreadyActive', busyText);
    return { ...waiting, notes: [...waiting.notes, busy] };
  }
  return { ...waiting, create: { job: newJob(cron, name, time), at: due } };
}

const busyText = 'Not starting job because prior execution is running and concurrency policy is Forbid';

/** As the real controller prints a time in a message. */
const printedTime = (time: Instant): string =>
  `${formatTime(time).replace('T', ' ').replace('Z', '')} +0000 UTC`;

/** A moment, and how far local time is ahead of UTC then. */
type LocalTime = { readonly at: Instant; readonly offset: number };

/** RFC 3339 with the offset of the schedule's zone. */
function localTime({ at: time, offset }: LocalTime): string {
  const text = formatTime(later(time, millis(offset)));
  if (offset === 0) return text;
  const total = Math.abs(Math.round(offset / 60_000));
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${text.slice(0, -1)}${offset < 0 ? '-' : '+'}${two(Math.floor(total / 60))}:${two(total % 60)}`;
}

const scheduledKey = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

function newJob(cron: KubeObject, name: string, time: LocalTime): KubeObject {
  const template = objectAt(cron, 'spec', 'jobTemplate') ?? {};
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: namespaceOf(cron),
      labels: labelsOf(template),
      annotations: { ...annotationsOf(template), [scheduledKey]: localTime(time) },
      ownerReferences: [controllerReference(cron)],
    },
    spec: objectAt(template, 'spec') ?? {},
  };
}

/** The status once a job was started for a time. */
export function startedStatus(status: JsonObject, job: KubeObject, due: Instant): JsonObject {
  return {
    ...status,
    active: [...listAt(status, 'active'), referenceTo(job)],
    lastScheduleTime: formatTime(due),
  };
}

const referenceTo = (job: KubeObject): JsonObject => ({
  kind: kindOf(job),
  namespace: namespaceOf(job),
  name: nameOf(job),
  uid: uidOf(job),
  apiVersion: apiVersionOf(job),
  resourceVersion: resourceVersionOf(job),
});

type Ending = 'Complete' | 'Failed';

const endingOf = (job: KubeObject): Ending | undefined =>
  (['Complete', 'Failed'] as const).find((type) => isConditionTrue(job, type));

/** The status without jobs that have ended or are gone, and when one last succeeded. */
function settledStatus(cron: KubeObject, jobs: readonly KubeObject[], notes: Note[]): JsonObject {
  const byUid = new Map(jobs.map((job) => [uidOf(job), job]));
  const active: Json[] = [];
  for (const reference of listAt(cron, 'status', 'active')) {
    const job = byUid.get(textAt(reference, 'uid') ?? '');
    const name = textAt(reference, 'name') ?? '';
    const ending = job && endingOf(job);
    if (job === undefined) notes.push(normal('MissingJob', `Active job went missing: ${name}`));
    else if (ending === undefined) active.push(reference);
    else notes.push(normal('SawCompletedJob', `Saw completed job: ${name}, condition: ${ending}`));
  }
  const forgotten = forgottenJobs(cron, jobs, notes);
  active.push(...forgotten.map(referenceTo));
  const status: MutableJsonObject = {};
  if (active.length > 0) status['active'] = active;
  const last = lastSchedule(cron, forgotten);
  if (last !== undefined) status['lastScheduleTime'] = last;
  const success = lastSuccess(cron, jobs);
  if (success !== undefined) status['lastSuccessfulTime'] = success;
  return status;
}

/** Active jobs that are not in the status: ours if they have their scheduled time, otherwise of another owner. */
function forgottenJobs(cron: KubeObject, jobs: readonly KubeObject[], notes: Note[]): readonly KubeObject[] {
  const listed = new Set(listAt(cron, 'status', 'active').map((each) => textAt(each, 'uid')));
  const unknown = jobs.filter(
    (job) => !listed.has(uidOf(job)) && endingOf(job) === undefined && !isDeleting(job),
  );
  const isOurs = (job: KubeObject): boolean => annotationsOf(job)[scheduledKey] !== undefined;
  for (const job of unknown.filter((each) => !isOurs(each))) {
    const text = `Saw a job that the controller did not create or forgot: ${nameOf(job)}`;
    notes.push(warning('UnexpectedJob', text));
  }
  return unknown.filter(isOurs);
}

function lastSchedule(cron: KubeObject, started: readonly KubeObject[]): string | undefined {
  const known = textAt(cron, 'status', 'lastScheduleTime');
  let last = parseTime(known ?? '');
  for (const job of started) {
    const time = parseTime(annotationsOf(job)[scheduledKey] ?? '');
    if (time !== undefined && (last === undefined || time > last)) last = time;
  }
  return last === undefined ? known : formatTime(last);
}

function lastSuccess(cron: KubeObject, jobs: readonly KubeObject[]): string | undefined {
  let last = textAt(cron, 'status', 'lastSuccessfulTime');
  for (const job of jobs) {
    const time = endingOf(job) === 'Complete' ? textAt(job, 'status', 'completionTime') : undefined;
    if (time !== undefined && (last === undefined || time > last)) last = time;
  }
  return last;
}

/** Finished jobs beyond the limits of the history, the oldest. */
function outdated(cron: KubeObject, jobs: readonly KubeObject[]): readonly KubeObject[] {
  const limits: readonly (readonly [Ending, string])[] = [
    ['Complete', 'successfulJobsHistoryLimit'],
    ['Failed', 'failedJobsHistoryLimit'],
  ];
  return limits.flatMap(([ending, key]) => {
    const limit = numberAt(cron, 'spec', key);
    if (limit === undefined) return [];
    const ended = jobs.filter((job) => endingOf(job) === ending && !isDeleting(job));
    return ended
      .sort((left, right) => startOf(left) - startOf(right) || (nameOf(left) < nameOf(right) ? -1 : 1))
      .slice(0, Math.max(0, ended.length - limit));
  });
}

const startOf = (job: KubeObject): Instant =>
  parseTime(textAt(job, 'status', 'startTime') ?? '') ?? createdAt(job);

/** The jobs that a new one replaces. */
export const replacedJobs = (
  { cron, jobs }: CronJobSnapshot,
  decision: CronDecision,
): readonly KubeObject[] => {
  if (decision.create === undefined || textAt(cron, 'spec', 'concurrencyPolicy') !== 'Replace') return [];
  const active = new Set(listAt(decision.status, 'active').map((each) => textAt(each, 'uid')));
  return jobs.filter((job) => active.has(uidOf(job)));
};
