import { expect, test } from 'vitest';
import { listAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { after, noon, workloadOf } from '#kube/workload/testing/objects.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { decideCronJob, replacedJobs, startedStatus, type CronDecision } from './decide.ts';
import { knownZones } from './time-zones.ts';

const cronOf = (spec: JsonObject = {}, status: JsonObject = {}): KubeObject =>
  workloadOf(
    'CronJob',
    'c',
    {
      schedule: '*/5 * * * *',
      concurrencyPolicy: 'Allow',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { template: {} } },
      ...spec,
    },
    { status },
  );

const jobOf = (name: string, ending?: 'Complete' | 'Failed', second = 0): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    resourceVersion: '7',
    creationTimestamp: formatTime(after(second)),
  },
  status: {
    startTime: formatTime(after(second)),
    ...(ending === 'Complete' ? { completionTime: formatTime(after(second + 9)) } : {}),
    conditions: ending === undefined ? [] : [{ type: ending, status: 'True' }],
  },
});

const decide = (cron: KubeObject, second: number, jobs: readonly KubeObject[] = []): CronDecision =>
  decideCronJob({ cron, jobs, zones: knownZones }, after(second));

const reference = (name: string): JsonObject => ({ name, uid: `uid-${name}` });
const reasons = ({ notes }: CronDecision): readonly string[] => notes.map(({ reason }) => reason);

test('a job starts when its time has come, under a name made of the time', () => {
  expect(decide(cronOf(), 299)).toMatchObject({ create: undefined, wakeAt: after(300.1) });
  const due = decide(cronOf(), 301);
  expect(due.create?.at).toBe(after(300));
  expect(due.create?.job).toMatchObject({
    metadata: {
      name: `c-${after(300) / 60_000}`,
      labels: { a: 'b' },
      annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(after(300)) },
      ownerReferences: [{ kind: 'CronJob', name: 'c', controller: true }],
    },
  });
  expect(due.wakeAt).toBe(after(600.1));
  const started = startedStatus(due.status, jobOf('c-1'), after(300));
  expect(started).toMatchObject({
    active: [{ kind: 'Job', name: 'c-1', uid: 'uid-c-1' }],
    lastScheduleTime: formatTime(after(300)),
  });
  expect(decide(cronOf({}, started), 302, [jobOf('c-1')]).create).toBeUndefined();
});

test.for([
  ['Asia/Kolkata', '2026-01-05T18:00:00+05:30'],
  ['America/New_York', '2026-01-05T08:00:00-05:00'],
] as const)('a job has its scheduled time in %s', ([timeZone, expected]) => {
  const { create } = decide(
    cronOf({ timeZone, schedule: timeZone.startsWith('Asia') ? '0 18 * * *' : '0 8 * * *' }),
    7200,
  );
  expect(annotationsOf(create?.job ?? {})).toEqual({
    'batch.kubernetes.io/cronjob-scheduled-timestamp': expected,
  });
});

test('only the latest of missed times is made up for', () => {
  const late = decide(cronOf({}, { lastScheduleTime: formatTime(noon) }), 1000);
  expect(late.create?.at).toBe(after(900));
});

test('what was missed for longer than the deadline is forgotten', () => {
  expect(decide(cronOf({ startingDeadlineSeconds: 60 }), 380).create).toBeUndefined();
  expect(decide(cronOf({ startingDeadlineSeconds: 60 }), 350).create?.at).toBe(after(300));
});

test('more than a hundred missed times cause an event, and the last one counts', () => {
  const far = decide(cronOf({ schedule: '* * * * *' }), 86_400 * 30);
  expect(reasons(far)).toEqual(['TooManyMissedTimes']);
  expect(far.create?.at).toBe(after(86_400 * 30));
});

test.for<readonly [string, string, boolean, readonly string[]]>([
  ['Allow', 'Allow', true, []],
  ['Forbid', 'Forbid', false, []],
  ['Replace', 'Replace', true, ['c-1']],
])('one is still running: %s', ([, concurrencyPolicy, starts, replaced]) => {
  const cron = cronOf({ concurrencyPolicy }, { active: [reference('c-1')] });
  const snapshot = { cron, jobs: [jobOf('c-1')], zones: knownZones };
  const decision = decideCronJob(snapshot, after(301));
  expect(decision.create !== undefined).toBe(starts);
  expect(replacedJobs(snapshot, decision).map(nameOf)).toEqual(replaced);
  if (!starts) expect(reasons(decision)).toEqual(['JobAlreadyActive']);
});

test('jobs that ended leave the status, the last success stays', () => {
  const cron = cronOf(
    {},
    { active: [reference('a'), reference('b'), reference('c')], lastScheduleTime: formatTime(noon) },
  );
  const decision = decide(cron, 10, [jobOf('a', 'Complete', 1), jobOf('b')]);
  expect(listAt(decision.status, 'active')).toEqual([reference('b')]);
  expect(decision.status['lastSuccessfulTime']).toBe(formatTime(after(10)));
  expect(decision.notes.map(({ message }) => message)).toEqual([
    'Saw completed job: a, condition: Complete',
    'Active job went missing: c',
  ]);
});

test('the history keeps the latest', () => {
  const done = [1, 2, 3, 4, 5].map((at) => jobOf(`ok${at}`, 'Complete', at));
  const failed = [1, 2].map((at) => jobOf(`bad${at}`, 'Failed', at));
  expect(decide(cronOf(), 10, [...done, ...failed]).remove.map(nameOf)).toEqual(['ok1', 'ok2', 'bad1']);
});

test('suspended, unreadable or nowhere: nothing starts', () => {
  expect(decide(cronOf({ suspend: true }), 301)).toMatchObject({ create: undefined, wakeAt: undefined });
  expect(reasons(decide(cronOf({ schedule: '61 * * * *' }), 301))).toEqual(['UnparseableSchedule']);
  expect(reasons(decide(cronOf({ timeZone: 'Mars/Olympus' }), 301))).toEqual(['UnknownTimeZone']);
});

const scheduled = (job: KubeObject, second: number): KubeObject => ({
  ...job,
  metadata: {
    ...(job['metadata'] as JsonObject),
    annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(after(second)) },
  },
});

test('a job that was started and not written down is still known', () => {
  const running = scheduled(jobOf('c-x', undefined, 300), 300);
  const forbids = decide(cronOf({ concurrencyPolicy: 'Forbid' }), 601, [running]);
  expect([forbids.create, reasons(forbids)]).toEqual([undefined, ['JobAlreadyActive']]);
  expect(forbids.status).toMatchObject({
    active: [{ name: 'c-x' }],
    lastScheduleTime: formatTime(after(300)),
  });
});

test('a job that a user created does not count', () => {
  const cron = cronOf({ concurrencyPolicy: 'Forbid' });
  const decision = decide(cron, 301, [jobOf('by-hand')]);
  expect([decision.create?.at, reasons(decision)]).toEqual([after(300), ['UnexpectedJob']]);
  expect(decision.status['active']).toBeUndefined();
});
