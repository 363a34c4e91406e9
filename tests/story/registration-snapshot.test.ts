import { expect, test } from 'vitest';
import { listAt } from '#base/json.ts';
import { registrationSnapshot } from '#registrations/controller/registration-snapshot.ts';
import { instanceSnapshot } from '#registrations/controller/instance-snapshot.ts';
import { requestReader } from '#registrations/controller/request-reader.ts';
import { freshMemory } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { decideRegistration } from '#registrations/decide/decide-registration.ts';
import { neededReferences } from '#registrations/decide/references.ts';
import { registrationObject } from '#registrations/read.ts';
import { kindOf } from '#kube/object.ts';
import { definition, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  kuards,
  never,
  openRegistrationWorld,
  registrations,
} from '../support/registration-world.ts';

test('a snapshot by plain requests leads to the decision of the controller, and writes nothing', async () => {
  await using world = await openRegistrationWorld();
  await world.make(definitions, definition());
  await world.make(registrations, registration());
  await world.make(kuards, kuard());
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  await world.settle();
  const [crd, object] = await Promise.all([
    world.get(definitions, 'kuards.extensions.triggermesh.io'),
    world.get(registrations, 'kuard'),
  ]);
  if (object === undefined) throw new Error('there is no registration');
  const own = registrationObject(object);
  const reader = { registrations: { list: () => [object] }, definitions: { get: () => crd } };
  const decision = decideRegistration(registrationSnapshot(reader, own));
  if (decision.type !== 'serve') throw new Error(`the decision is ${decision.type}`);
  const { registration: served, kind } = decision;
  const environment = { namespace: 'default', clusterDomain: 'cluster.local' };
  const before = world.writes.length;
  const instance = await world.instance();
  const snapshot = await instanceSnapshot(requestReader(world.client, served, never), {
    registration: served,
    kind,
    environment,
    instance,
    now: world.clock.now(),
    chance: 0,
    memory: freshMemory,
    references: neededReferences(served, instance, environment),
  });
  expect(snapshot.live.map(kindOf).toSorted()).toEqual(['Deployment', 'Service']);
  const step = decideReconcile(snapshot);
  expect(step).toMatchObject({ type: 'apply', prune: [] });
  // The children are there, so the reconciliation ends without a change of the status.
  expect(decideReconcile({ ...snapshot, applied: [] })).toMatchObject({ type: 'finish', status: undefined });
  expect(listAt(instance, 'metadata', 'finalizers')).toEqual([]);
  expect(world.writes.length).toBe(before);
});
