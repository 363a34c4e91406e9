import { expect, test } from 'vitest';
import { listAt } from '#base/json.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { failure } from '../support/reconcile-hook.ts';
import {
  definitions,
  deploymentNames,
  deployments,
  isReady,
  knativeServices,
  kuards,
  openRegistrationWorld,
  registrations,
  services,
} from '../support/registration-world.ts';

test('children of a former registration are deleted when the new one has applied its own, not before', async () => {
  await using world = await openRegistrationWorld();
  const hook = hookAt(world.hook.url);
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook }));
  await world.make(kuards, kuard());
  await world.until(() => isReady(world));
  const mine = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const labels = { 'app.kubernetes.io/managed-by': 'scoby-controller', app: 'other' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  await world.make(deployments, {
    ...mine,
    metadata: { name: 'bystander', namespace: 'default', labels },
    spec: { selector: { matchLabels: labels }, template },
  });
  world.hook.answer = () => failure({ message: 'wait', halt: true });
  await world.remove(registrations, 'kuard');
  await world.until(async () => (await world.get(registrations, 'kuard')) === undefined);
  await world.make(registrations, registration({ name: 'second', hook }));
  await world.pass(3);
  expect(await deploymentNames(world)).toEqual(['bystander', 'kuard-my-kuard']);
  world.hook.answer = () => ({});
  await world.until(async () => (await world.get(deployments, 'kuard-my-kuard')) === undefined, 60);
  await world.until(() => isReady(world));
  expect(await deploymentNames(world)).toEqual(['bystander', 'second-my-kuard']);
  expect(await world.get(services, 'kuard-my-kuard')).toBeUndefined();
  await world.settle();
  const { length } = world.writes;
  await world.pass(10);
  expect(world.writes.slice(length)).toEqual([]);
});

test('a Knative Service is deleted when the registration has a Deployment instead', async () => {
  await using world = await openRegistrationWorld();
  const knative = definition({ plural: 'services', kind: 'Service' });
  await world.make(definitions, {
    ...knative,
    metadata: { name: 'services.serving.knative.dev' },
    spec: { ...(knative['spec'] as object), group: 'serving.knative.dev' },
  });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ formFactor: { knativeService: {} } }));
  await world.make(kuards, kuard());
  await world.until(async () => (await world.get(knativeServices, 'kuard-my-kuard')) !== undefined);
  await world.patch(registrations, 'kuard', {
    spec: { workload: { formFactor: { knativeService: null, deployment: {} } } },
  });
  await world.until(async () => (await world.get(knativeServices, 'kuard-my-kuard')) === undefined, 30);
  expect(await deploymentNames(world)).toEqual(['kuard-my-kuard']);
  expect(listAt(await world.instance(), 'metadata', 'finalizers')).toEqual([]);
});
