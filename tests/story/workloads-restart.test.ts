import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { openWorkloadWorld, templateOf, type Reply, type WorkloadWorld } from '../support/workload-world.ts';

const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';

const isReady = (pod: KubeObject): boolean =>
  listAt(pod, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );

/** Settles when the store has changed so often. */
const changes = (world: WorkloadWorld, count: number): Promise<void> =>
  new Promise((resolve) => {
    let seen = 0;
    world.onChange(() => {
      seen += 1;
      if (seen === count) resolve();
    });
  });

test('a rollout that is cut off again and again ends where it should, within its limits', async () => {
  const journal = memoryJournal();
  const path = `${apps}/deployments/web`;
  const isDone =
    (generation: number) =>
    ({ body }: Reply): boolean =>
      numberAt(body, 'status', 'observedGeneration') === generation &&
      ['replicas', 'updatedReplicas', 'availableReplicas'].every(
        (key) => numberAt(body, 'status', key) === 8,
      );
  {
    await using world = await openWorkloadWorld({ journal });
    const spec: JsonObject = {
      replicas: 8,
      selector: { matchLabels: { app: 'x' } },
      strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
      template: templateOf('img:1'),
    };
    await world.create(`${apps}/deployments`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec,
    });
    await world.until(path, isDone(1));
    await world.patch(path, {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    });
  }
  const bounds = { most: 0, least: 99 };
  const watch = (world: WorkloadWorld): void =>
    world.onChange(() => {
      const active = world.pods().filter((pod) => !isDeleting(pod));
      bounds.most = Math.max(bounds.most, active.length);
      bounds.least = Math.min(bounds.least, active.filter(isReady).length);
    });
  for (const count of [1, 2, 3, 4, 5, 6, 7]) {
    await using world = await openWorkloadWorld({ journal });
    watch(world);
    await Promise.race([changes(world, count), world.pass(1)]);
  }
  await using world = await openWorkloadWorld({ journal });
  watch(world);
  await world.until(path, isDone(2));
  expect(world.pods()).toHaveLength(8);
  expect(bounds.most).toBeLessThanOrEqual(10);
  expect(bounds.least).toBeGreaterThanOrEqual(7);
});

test('a job that is cut off counts every pod once', async () => {
  const journal = memoryJournal();
  const path = `${batch}/jobs/work`;
  {
    await using world = await openWorkloadWorld({ journal, kubelet: false });
    const template = templateOf('i', { app: 'x' }, { restartPolicy: 'Never' });
    await world.create(`${batch}/jobs`, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'work' },
      spec: { completions: 6, parallelism: 3, template },
    });
    await world.until(path, ({ body }) => numberAt(body, 'status', 'active') === 3);
  }
  const names = new Set<string>();
  const endAll = async (world: WorkloadWorld): Promise<void> => {
    for (const pod of world.pods()) {
      names.add(nameOf(pod));
      if (textAt(pod, 'status', 'phase') === 'Pending') await world.setStatus(pod, { phase: 'Succeeded' });
    }
  };
  for (const count of [1, 2, 3, 4, 5]) {
    await using world = await openWorkloadWorld({ journal, kubelet: false });
    const changed = changes(world, count);
    await endAll(world);
    await Promise.race([changed, world.pass(1)]);
  }
  await using world = await openWorkloadWorld({ journal, kubelet: false });
  const complete = await world.until(path, ({ body }) => {
    void endAll(world);
    return listAt(body, 'status', 'conditions').some((each) => textAt(each, 'type') === 'Complete');
  });
  expect(objectAt(complete, 'status')).toMatchObject({ succeeded: 6, uncountedTerminatedPods: {} });
  expect(objectAt(complete, 'status')?.['failed']).toBeUndefined();
  expect(names.size).toBe(6);
});
