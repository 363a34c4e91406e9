import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { openWorkloadWorld, templateOf, type Reply, type WorkloadWorld } from '../support/workload-world.ts';

const batch = '/apis/batch/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const path = `${batch}/jobs/work`;

const template = templateOf('img:1', { app: 'x' }, { restartPolicy: 'Never' });
const jobOf = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: { template, ...spec },
});

const running = (world: WorkloadWorld): readonly KubeObject[] =>
  world
    .pods()
    .filter(
      (pod) => !isDeleting(pod) && !['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? ''),
    );

const end = (world: WorkloadWorld, pod: KubeObject, phase: 'Succeeded' | 'Failed'): Promise<void> =>
  world.setStatus(pod, {
    phase,
    containerStatuses: [
      {
        name: 'c',
        image: 'i',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: world.now() } },
      },
    ],
  });

const has =
  (type: string) =>
  ({ body }: Reply): boolean =>
    listAt(body, 'status', 'conditions').some(
      (each) => textAt(each, 'type') === type && textAt(each, 'status') === 'True',
    );
const isActive =
  (count: number) =>
  ({ body }: Reply): boolean =>
    (numberAt(body, 'status', 'active') ?? 0) === count;
const conditionsOf = (body: JsonObject): readonly string[] =>
  listAt(body, 'status', 'conditions').map((each) => `${textAt(each, 'type')} ${textAt(each, 'reason')}`);

test('a job runs its pods two by two, counts each once, and is deleted after its ttl', async () => {
  await using world = await openWorkloadWorld({ kubelet: false });
  let most = 0;
  world.onChange(() => {
    most = Math.max(most, running(world).length);
  });
  await world.create(
    `${batch}/jobs`,
    jobOf({ completions: 5, parallelism: 2, ttlSecondsAfterFinished: 100 }),
  );
  for (let done = 0; done < 5; done += 1) {
    await world.until(path, isActive(Math.min(2, 5 - done)));
    const [pod] = running(world);
    await end(world, pod ?? {}, 'Succeeded');
    await world.until(path, ({ body }) => numberAt(body, 'status', 'succeeded') === done + 1);
  }
  const complete = await world.until(path, has('Complete'));
  expect(conditionsOf(complete)).toEqual([
    'SuccessCriteriaMet CompletionsReached',
    'Complete CompletionsReached',
  ]);
  expect(objectAt(complete, 'status')).toMatchObject({
    succeeded: 5,
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
  });
  expect(most).toBe(2);
  expect(world.pods().map((pod) => objectAt(pod, 'metadata')?.['finalizers'])).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const events = (await world.items(`${core}/events`)).map((event) => textAt(event, 'reason'));
  expect(events).toContain('Completed');

  await world.pass(101);
  await world.until(path, ({ status }) => status === 404);
  await world.until(`${core}/pods`, ({ body }) => listAt(body, 'items').length === 0);
});

test('failures are tried again, later and later, and then no more', async () => {
  await using world = await openWorkloadWorld({ kubelet: false });
  await world.create(`${batch}/jobs`, jobOf({ backoffLimit: 1 }));
  await world.until(path, isActive(1));
  await end(world, running(world)[0] ?? {}, 'Failed');
  await world.until(path, ({ body }) => numberAt(body, 'status', 'failed') === 1);
  expect(running(world)).toEqual([]);
  await world.pass(10);
  await world.until(path, isActive(1));
  await end(world, running(world)[0] ?? {}, 'Failed');
  const failed = await world.until(path, has('Failed'));
  expect(conditionsOf(failed)).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
  expect(numberAt(failed, 'status', 'failed')).toBe(2);
});

test('a job that takes too long is stopped', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${batch}/jobs`, jobOf({ activeDeadlineSeconds: 30, parallelism: 3, completions: 3 }));
  await world.until(path, isActive(3));
  await world.pass(31);
  const failed = await world.until(path, has('Failed'));
  expect(conditionsOf(failed)).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
  expect(world.pods()).toEqual([]);
});

test('indexes: each completes once, suspended in between', async () => {
  await using world = await openWorkloadWorld({ kubelet: false });
  await world.create(`${batch}/jobs`, jobOf({ completionMode: 'Indexed', completions: 3, parallelism: 3 }));
  await world.until(path, isActive(3));
  const first = running(world).find((pod) => nameOf(pod).startsWith('work-0-')) ?? {};
  await end(world, first, 'Succeeded');
  await world.until(path, ({ body }) => textAt(body, 'status', 'completedIndexes') === '0');
  await world.patch(path, { spec: { suspend: true } });
  await world.until(path, (reply) => has('Suspended')(reply) && isActive(0)(reply));
  expect(running(world)).toEqual([]);
  await world.patch(path, { spec: { suspend: false } });
  await world.until(path, isActive(2));
  for (const pod of running(world)) await end(world, pod, 'Succeeded');
  const complete = await world.until(path, has('Complete'));
  expect(objectAt(complete, 'status')).toMatchObject({ completedIndexes: '0-2', succeeded: 3 });
});

test('a job that is suspended, or has less parallelism, loses pods and no attempts', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${batch}/jobs`, jobOf({ completions: 6, parallelism: 4, backoffLimit: 0 }));
  await world.until(path, isActive(4));
  await world.patch(path, { spec: { parallelism: 1 } });
  await world.until(path, isActive(1));
  await world.patch(path, { spec: { suspend: true } });
  const suspended = await world.until(path, (reply) => has('Suspended')(reply) && isActive(0)(reply));
  await world.pass(1);
  expect(world.pods()).toEqual([]);
  expect(numberAt(suspended, 'status', 'failed')).toBeUndefined();
  await world.patch(path, { spec: { suspend: false, parallelism: 2 } });
  const resumed = await world.until(path, isActive(2));
  expect(conditionsOf(resumed)).toEqual(['Suspended JobResumed']);
});

test('a job that is deleted leaves no pod behind', async () => {
  await using world = await openWorkloadWorld();
  await world.create(`${batch}/jobs`, jobOf({ completions: 3, parallelism: 3 }));
  await world.until(path, isActive(3));
  await world.request('DELETE', path, { propagationPolicy: 'Background' });
  await world.until(path, ({ status }) => status === 404);
  await world.until(`${core}/pods`, ({ body }) => listAt(body, 'items').length === 0);
});

test('a cron job starts jobs by the clock and keeps the last ones', async () => {
  await using world = await openWorkloadWorld({ kubelet: false });
  const cron = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly' },
    spec: {
      schedule: '*/5 * * * *',
      successfulJobsHistoryLimit: 2,
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: { template } },
    },
  };
  await world.create(`${batch}/cronjobs`, cron);
  for (let round = 1; round <= 4; round += 1) {
    await world.pass(300);
    await world.until(
      `${batch}/cronjobs/nightly`,
      ({ body }) => listAt(body, 'status', 'active').length === 1,
    );
    const [pod] = await untilRunning(world);
    await end(world, pod ?? {}, 'Succeeded');
    await world.until(
      `${batch}/cronjobs/nightly`,
      ({ body }) => listAt(body, 'status', 'active').length === 0,
    );
  }
  await world.until(`${batch}/jobs`, ({ body }) => listAt(body, 'items').length === 2);
  const told = (await world.items(`${core}/events`)).map((event) => textAt(event, 'reason'));
  expect(told).toContain('SawCompletedJob');

  await world.patch(`${batch}/cronjobs/nightly`, { spec: { suspend: true } });
  await world.pass(900);
  expect(await world.items(`${batch}/jobs`)).toHaveLength(2);
});

async function untilRunning(world: WorkloadWorld): Promise<readonly KubeObject[]> {
  await world.until(`${core}/pods`, () => running(world).length > 0);
  return running(world);
}
