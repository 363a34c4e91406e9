import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { isDeleting, kindOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { kinds } from '#cli/kinds.ts';
import { openStoredWorld, type StoredWorld } from '../support/stored-world.ts';
import {
  journalOf,
  latestTime,
  lostFields,
  storedDefinitions,
  storedObjects,
  storedPath,
  storedReleases,
} from '../support/stored-fixtures.ts';
import { never, openWorld } from '../support/world.ts';

const ours: ReadonlySet<string> = new Set(kinds.map(({ kind }) => kind));
const minute = 60_000;

test.for(storedReleases())(
  '%s: every field of every object is kept by the present definitions',
  async (release) => {
    const objects = storedObjects(release);
    const now = instant(latestTime(objects) + minute);
    await using world = await openWorld({
      clock: manualClock(now),
      journal: journalOf(objects, now),
      ownKinds: true,
    });
    const own = objects.filter((object) => ours.has(kindOf(object)));
    expect(new Set(own.map(kindOf))).toEqual(ours);
    for (const object of own) {
      const path = storedPath(object);
      const { body } = await world.send('GET', path);
      expect(lostFields(withoutVersion(object), body), `${path} as it is read`).toEqual([]);
      // A write of another client: the same object with one more label.
      const metadata = objectAt(body, 'metadata') ?? {};
      const labelled = {
        ...body,
        metadata: { ...metadata, labels: { ...objectAt(metadata, 'labels'), seen: 'yes' } },
      };
      const put = await world.send('PUT', `${path}?fieldValidation=Strict`, { body: labelled });
      expect(put.status, `${path}: ${put.text}`).toBe(200);
      expect(lostFields(withoutVersion(object), put.body), `${path} as it is written`).toEqual([]);
      if (objectAt(object, 'status') === undefined) continue;
      const status = await world.send('PUT', `${path}/status?fieldValidation=Strict`, { body: put.body });
      expect(status.status, `${path}/status: ${status.text}`).toBe(200);
      expect(lostFields(withoutVersion(object), status.body), `${path}/status`).toEqual([]);
    }
  },
);

function withoutVersion(object: KubeObject): JsonObject {
  const {
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = objectAt(object, 'metadata') ?? {};
  return { ...object, metadata };
}

test('the comparison of fields can fail', () => {
  expect(lostFields({ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] })).toEqual(['.a[0].c']);
  expect(lostFields({ a: 1 }, { a: 1, b: 2 })).toEqual([]);
});

const restarts = (pod: KubeObject): number =>
  listAt(pod, 'status', 'containerStatuses').reduce<number>(
    (sum, each) => sum + (numberAt(each, 'restartCount') ?? 0),
    0,
  );
const imageOf = (pod: KubeObject): string => textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '';
const podOf = (pod: KubeObject): string => [nameOf(pod), uidOf(pod), restarts(pod), imageOf(pod)].join(' ');
const present = (world: StoredWorld): readonly KubeObject[] =>
  world.stored('/pods').filter((pod) => !isDeleting(pod));
const standing = (workload: KubeObject): readonly unknown[] => [
  nameOf(workload),
  ...['phase', 'reason', 'step', 'updateRevision'].map((name) => textAt(workload, 'status', name)),
  textAt(workload, 'status', 'canary', 'releaseID'),
  textAt(workload, 'status', 'canary', 'currentStepHookRun'),
];
const workloadsIn = (world: StoredWorld): readonly KubeObject[] =>
  ['gamedeployments', 'gamestatefulsets'].flatMap((plural) => world.stored(`tkex.tencent.com/${plural}`));

test.for(storedReleases())(
  '%s: the present controllers change nothing of what stands still',
  async (release) => {
    const objects = storedObjects(release);
    await using world = await openStoredWorld(objects);
    const of = (kind: string): readonly KubeObject[] => objects.filter((object) => kindOf(object) === kind);
    await world.pass(30);

    expect(present(world).map(podOf).sort()).toEqual(
      of('Pod')
        .filter((pod) => !isDeleting(pod))
        .map(podOf)
        .sort(),
    );
    const before = [...of('GameDeployment'), ...of('GameStatefulSet')];
    expect(workloadsIn(world).map(standing)).toEqual(before.map(standing));
    const names = (list: readonly KubeObject[]): readonly string[] => list.map(nameOf).sort();
    expect(names(world.stored('apps/controllerrevisions'))).toEqual(names(of('ControllerRevision')));
    expect(names(world.stored('tkex.tencent.com/hookruns'))).toEqual(names(of('HookRun')));
    // Only questions that had no answer yet are asked, once for each run.
    const open = of('HookRun').filter((run) => textAt(run, 'status', 'phase') === 'Running');
    expect(open.length).toBeGreaterThan(0);
    expect(world.asked.filter((url) => !url.endsWith('/slow'))).toEqual([]);
    expect(world.asked).toHaveLength(open.length);
    // Nothing is run on machines, and what registrations made is left as it is.
    expect(world.opened).toEqual([]);
    for (const kind of ['Cluster', 'Machine'] as const)
      for (const object of of(kind)) {
        const [stored] = world
          .stored(`platform.tkestack.io/${kind.toLowerCase()}s`)
          .filter((each) => nameOf(each) === nameOf(object));
        expect(stored?.['status']).toEqual(object['status']);
      }
    for (const object of of('Deployment').filter((each) => namespaceOf(each) === 'stored')) {
      const [stored] = world.stored('apps/deployments').filter((each) => nameOf(each) === nameOf(object));
      expect([uidOf(stored ?? {}), numberAt(stored, 'metadata', 'generation')]).toEqual([
        uidOf(object),
        numberAt(object, 'metadata', 'generation'),
      ]);
    }
  },
);

test.for(storedReleases())('%s: releases in progress continue at their step', async (release) => {
  const objects = storedObjects(release);
  await using world = await openStoredWorld(objects);
  await world.pass(2);
  const updated = present(world).filter((pod) => imageOf(pod) === 'shop:1.1');
  expect(updated.length).toBeGreaterThan(4);
  // The hooks that ran answer at last, and users end the pauses.
  world.answer(() => ({ value: 1 }));
  for (const workload of workloadsIn(world).filter((each) => textAt(each, 'status', 'phase') === 'Paused'))
    await world.resume(workload);
  await world.until(() => workloadsIn(world).every((each) => textAt(each, 'status', 'phase') === 'Complete'));

  const now = new Map(present(world).map((pod) => [uidOf(pod), pod]));
  for (const pod of updated)
    expect(podOf(now.get(uidOf(pod)) ?? {}), 'updated pods stay').toEqual(podOf(pod));
  for (const workload of workloadsIn(world).filter((each) => !nameOf(each).endsWith('guarded'))) {
    expect(textAt(workload, 'status', 'step'), nameOf(workload)).toMatch(/^(\d+)\/\1$/);
    expect(listAt(workload, 'status', 'history')).toHaveLength(2);
  }
  expect(
    present(world).filter(
      (pod) => imageOf(pod) !== 'shop:1.1' && !nameOf(pod).includes('guarded') && nameOf(pod).startsWith('g'),
    ),
  ).toEqual([]);
  expect(world.opened).toEqual([]);
});

test('what a controller does on machines would be seen', async () => {
  const objects = storedObjects(storedReleases()[0] ?? '');
  await using world = await openStoredWorld(objects);
  await world.pass(2);
  expect(world.opened).toEqual([]);
  const resource = { group: 'platform.tkestack.io', version: 'v1', plural: 'machines', namespaced: false };
  for (const machine of objects.filter((object) => kindOf(object) === 'Machine'))
    await world.client.remove(resource, { name: nameOf(machine) }, never);
  await world.pass(2);
  expect(world.opened.length).toBeGreaterThan(0);
});

/** Counts writes, so that a controller that never comes to rest is seen. */
const counting =
  (direct: Transport, seen: string[]): Transport =>
  (request) => {
    if (request.method !== 'GET') seen.push(`${request.method} ${request.path}`);
    return direct(request);
  };

test.for(
  storedReleases().flatMap((release) => [
    { release, under: 'present', definitions: [] },
    // Users may upgrade the controllers first, and roll back definitions.
    { release, under: 'its own', definitions: storedDefinitions(release) },
  ]),
)(
  '$release: the present controllers come to rest under $under definitions',
  async ({ release, definitions }) => {
    const writes: string[] = [];
    const around = (direct: Transport): Transport => counting(direct, writes);
    await using world = await openStoredWorld(storedObjects(release), { around, definitions });
    await world.pass(30);
    writes.length = 0;
    await world.pass(30);
    expect(writes.filter((write) => !write.includes('/leases/'))).toEqual([]);
    expect(workloadsIn(world).filter((each) => textAt(each, 'status', 'phase') === 'Complete')).toHaveLength(
      2,
    );
  },
);
