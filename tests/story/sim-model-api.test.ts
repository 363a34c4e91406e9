import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import { systemTasks } from '#edge/tasks.ts';
import { kindOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { budgets, namespaces, pods, revisions } from '#loop/owned/resources.ts';
import { ModelApi } from '../sim/model-api/model-api.ts';
import { modelClient } from '../sim/model-api/model-client.ts';
import { ModelWatches } from '../sim/model-api/model-watch.ts';
import { comparable, randomRequest, resourcesOfRequests } from '../sim/model-api/random-requests.ts';
import { never, noon, openWorld } from '../support/world.ts';

const accounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };

function openModel(clock: ManualClock): KubeClient {
  const api = new ModelApi({ clock, random: seededRandom(1) });
  api.create(namespaces, { metadata: { name: 'default' } });
  const watches = new ModelWatches({ store: api.store, clock, random: seededRandom(3) });
  return modelClient({ api, watches, tasks: systemTasks, random: seededRandom(2) });
}

/** Both servers must agree on it. Of pods the model keeps no defaults. */
function seenOf(object: KubeObject): Json {
  if (kindOf(object) !== 'Pod') return comparable(object);
  const containers = listAt(object, 'spec', 'containers').map((each) => [
    textAt(each, 'name'),
    textAt(each, 'image'),
  ]);
  return comparable({
    metadata: object['metadata'] ?? {},
    containers: containers as Json,
    node: textAt(object, 'spec', 'nodeName') ?? '',
    status: objectAt(object, 'status') ?? {},
  });
}

const shown = (outcome: Outcome): Json =>
  outcome.type === 'ok'
    ? kindOf(outcome.object) === 'Status'
      ? { type: 'ok', object: 'Status' }
      : { type: 'ok', object: seenOf(outcome.object) }
    : { type: outcome.type, code: outcome.code };

/** Sends the same requests to both and remembers what each of them answered. */
class Client {
  readonly known = new Map<string, KubeObject>();
  readonly client: KubeClient;
  constructor(client: KubeClient) {
    this.client = client;
  }

  note(plural: string, outcome: Outcome): void {
    if (outcome.type === 'ok' && kindOf(outcome.object) !== 'Status')
      this.known.set(`${plural}/${nameOf(outcome.object)}`, outcome.object);
  }
}

test.for(Array.from({ length: 12 }, (_, seed) => seed + 1))(
  'the model of the API server answers as the embedded server does, sequence %i',
  { timeout: 60_000 },
  async (seed) => {
    const clock = manualClock(noon);
    await using world = await openWorld({ controllers: [], ownKinds: true, clock });
    await world.make(accounts, { metadata: { name: 'default', namespace: 'default' } });
    const pair = [new Client(world.client), new Client(openModel(clock))] as const;
    const random = seededRandom(seed);
    for (let number = 0; number < 60; number += 1) {
      const request = randomRequest(random);
      const plural =
        request.text
          .split(' ')
          .find((word) => word.includes('/'))
          ?.split('/')[0] ?? '';
      const [real, model] = await Promise.all(pair.map(({ client, known }) => request.send(client, known)));
      expect({ [request.text]: shown(model as Outcome) }).toEqual({ [request.text]: shown(real as Outcome) });
      pair[0].note(plural, real as Outcome);
      pair[1].note(plural, model as Outcome);
      clock.advance(millis(1000));
    }
    for (const resource of resourcesOfRequests) {
      const [real, model] = await Promise.all(
        pair.map(({ client }) => client.list(resource, { namespace: 'default' }, never)),
      );
      if (real?.type !== 'ok' || model?.type !== 'ok') throw new Error('a list was refused');
      expect(model.items.map(seenOf)).toEqual(real.items.map(seenOf));
    }
  },
);

test('the model refuses an apply to another object as the embedded server does', async () => {
  const clock = manualClock(noon);
  await using world = await openWorld({ controllers: [], ownKinds: true, clock });
  const told = [];
  for (const client of [world.client, openModel(clock)]) {
    const apply = (metadata: JsonObject, dryRun = false): Promise<Outcome> => {
      const named = { name: 'r', namespace: 'default', ...metadata };
      const kind = { apiVersion: 'apps/v1', kind: 'ControllerRevision' };
      const body = { ...kind, metadata: named, data: {}, revision: 1 };
      const patch = { type: 'apply', body, force: true, fieldManager: 'm', dryRun } as const;
      return client.patch(revisions, { namespace: 'default', name: 'r' }, patch, never);
    };
    const early = [await apply({ uid: 'other' }), await apply({ uid: 'other' }, true)];
    const made = await apply({ resourceVersion: '1' });
    const uid = made.type === 'ok' ? uidOf(made.object) : '';
    const late = [
      await apply({ resourceVersion: '1' }),
      await apply({ uid: 'other' }),
      await apply({ uid: 'other' }, true),
      await apply({ uid }),
    ];
    told.push([...early, made, ...late].map((each) => (each.type === 'ok' ? each.type : each.message)));
  }
  const [real, model] = told;
  expect(model).toEqual(real);
  expect(real?.map((each) => each === 'ok')).toEqual([false, false, true, false, false, false, true]);
});

const labelled = (name: string, labels: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels },
  spec: {
    nodeName: 'node-0',
    containers: [{ name: 'c', image: 'app:1' }],
    terminationGracePeriodSeconds: 30,
  },
});
const allowing: JsonObject = {
  observedGeneration: 1,
  disruptionsAllowed: 1,
  currentHealthy: 2,
  desiredHealthy: 1,
  expectedPods: 2,
};
const evict = (client: KubeClient, name: string): Promise<Outcome> =>
  client.create(
    pods,
    { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } },
    never,
    { subresource: 'eviction' },
  );

test('the model evicts pods as the embedded server does: a budget pays for each, or refuses', async () => {
  const clock = manualClock(noon);
  await using world = await openWorld({ controllers: [], ownKinds: true, clock });
  await world.make(accounts, { metadata: { name: 'default', namespace: 'default' } });
  const told = [];
  for (const client of [world.client, openModel(clock)]) {
    const spec = { maxUnavailable: 1, selector: { matchLabels: { app: 'a' } } };
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b', namespace: 'default' },
    };
    const made = await client.create(budgets, { ...budget, spec }, never);
    if (made.type === 'ok') await client.updateStatus(budgets, { ...made.object, status: allowing }, never);
    for (const [name, labels] of [
      ['x', { app: 'a' }],
      ['y', { app: 'a' }],
      ['z', {}],
    ] as const) {
      const pod = await client.create(pods, labelled(name, labels), never);
      const status = { phase: 'Running', qosClass: 'BestEffort' };
      if (pod.type === 'ok') await client.updateStatus(pods, { ...pod.object, status }, never);
    }
    const outcomes = [await evict(client, 'x'), await evict(client, 'z'), await evict(client, 'none')];
    const lists = [];
    for (const resource of [pods, budgets]) {
      const listed = await client.list(resource, { namespace: 'default' }, never);
      lists.push(listed.type === 'ok' ? listed.items.map(seenOf) : listed.type);
    }
    // Last: the client waits after such a refusal.
    await expect(evict(client, 'y')).rejects.toThrow('429');
    told.push({ outcomes: outcomes.map(shown), lists });
  }
  const [real, model] = told;
  expect(model).toEqual(real);
  expect(real?.outcomes).toMatchObject([{ type: 'ok' }, { type: 'ok' }, { type: 'not-found' }]);
  expect(real?.lists[0]).toHaveLength(3);
});
