import { ageSince, formatAge, momentOf } from '#base/age.ts';
import { at, listAt, numberAt } from '#base/json.ts';
import { millis, type Instant } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { isSet, isTrue, lengthCell, textCell, textOr } from './cells.ts';
import { ageColumn, booleanColumn, integerColumn, nameColumn, textColumn, type Column } from './column.ts';
import { selectorColumn, templateColumns } from './workload-columns.ts';

export const jobColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', 'How the job is doing.', statusText),
  textColumn('Completions', 'How many pods succeeded of those wanted.', completionsText),
  textColumn('Duration', 'How long it ran, or has run so far.', durationText),
  ageColumn,
  ...templateColumns('spec', 'template'),
  selectorColumn('The selector of the pods that are counted.', 'spec', 'selector'),
];

export const cronJobColumns: readonly Column[] = [
  nameColumn,
  textColumn('Schedule', 'Schedule of the jobs, in Cron format.', textCell('spec', 'schedule')),
  textColumn('Timezone', 'The time zone of the schedule.', textOr('<none>', 'spec', 'timeZone')),
  booleanColumn('Suspend', 'Whether the creation of new jobs is suspended.', suspendText),
  integerColumn('Active', 'How many jobs are running.', lengthCell('status', 'active')),
  textColumn('Last Schedule', 'Time since the last job was created.', lastScheduleText),
  ageColumn,
  ...templateColumns('spec', 'jobTemplate', 'spec', 'template'),
  selectorColumn('The selector of the pods that are counted.', 'spec', 'jobTemplate', 'spec', 'selector'),
];

function statusText(job: KubeObject): string {
  const conditions = listAt(job, 'status', 'conditions');
  if (isTrue(conditions, 'Complete')) return 'Complete';
  if (isTrue(conditions, 'Failed')) return 'Failed';
  if (isDeleting(job)) return 'Terminating';
  if (isTrue(conditions, 'Suspended')) return 'Suspended';
  return isTrue(conditions, 'FailureTarget') ? 'FailureTarget' : 'Running';
}

function completionsText(job: KubeObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded') ?? 0;
  const wanted = numberAt(job, 'spec', 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallel = numberAt(job, 'spec', 'parallelism') ?? 0;
  return parallel > 1 ? `${succeeded}/1 of ${parallel}` : `${succeeded}/1`;
}

function durationText(job: KubeObject, now: Instant): string {
  const start = momentOf(at(job, 'status', 'startTime'));
  if (start === undefined) return '';
  const end = momentOf(at(job, 'status', 'completionTime')) ?? now;
  return formatAge(millis(end - start));
}

function suspendText(job: KubeObject): string {
  const suspend = at(job, 'spec', 'suspend');
  if (!isSet(suspend)) return '<unset>';
  return suspend === true ? 'True' : 'False';
}

function lastScheduleText(job: KubeObject, now: Instant): string {
  const last = at(job, 'status', 'lastScheduleTime');
  return isSet(last) ? ageSince(momentOf(last), now) : '<none>';
}
