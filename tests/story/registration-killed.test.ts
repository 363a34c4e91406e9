import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { mortal, type How } from '../support/mortal.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  envOf,
  kuards,
  never,
  openRegistrationWorld,
  registrations,
  serviceAccounts,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const isReady = async (world: RegistrationWorld): Promise<boolean> =>
  conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK';

type Life = { readonly isDead: boolean; readonly end: JsonObject };

/** An instance that comes, changes and goes, and then its registration, under a controller that dies at a write. */
async function live(at: number, how: How): Promise<Life> {
  await using world = await openRegistrationWorld({ controlled: false });
  world.hook.answer = ({ phase }) =>
    phase === 'pre-reconcile'
      ? { envVars: [{ name: 'HOOK', value: 'yes' }] }
      : {
          patches: phase === 'finalize' ? [] : [{ serviceAccount: { metadata: { labels: { by: 'hook' } } } }],
        };
  const killer = mortal(at, how);
  let isReplaced = false;
  await world.control({ around: (way) => killer.around(way) });
  const until = (isWanted: () => Promise<boolean>): Promise<void> =>
    world.until(async () => {
      if (killer.isDead && !isReplaced) {
        isReplaced = true;
        await world.control();
      }
      return isWanted();
    });
  await world.make(definitions, definition());
  await world.make(
    registrations,
    registration({ parameters: { addEnvsFromHook: ['*'] }, hook: hookAt(world.hook.url) }),
  );
  await world.make(kuards, kuard({ variable1: 'one', variable2: 'two' }));
  await until(() => isReady(world));
  await world.patch(kuards, 'my-kuard', { spec: { variable1: null, variable3: 'three' } });
  await until(
    async () => envOf(await world.get(deployments, child))['VARIABLE3'] === 'three' && (await isReady(world)),
  );
  await world.patch(registrations, 'kuard', {
    spec: { workload: { formFactor: { deployment: { service: null } } } },
  });
  await until(async () => (await world.get(services, child)) === undefined && (await isReady(world)));
  await world.settle();
  const end = {
    env: envOf(await world.get(deployments, child)) as JsonObject,
    account: textAt(await world.get(serviceAccounts, child), 'metadata', 'labels', 'by') ?? '',
    conditions: conditionsOf(await world.instance()),
    finalizers: listAt(await world.instance(), 'metadata', 'finalizers'),
  };
  await world.remove(kuards, 'my-kuard');
  await until(async () => (await world.get(kuards, 'my-kuard')) === undefined);
  await until(async () => (await world.get(deployments, child)) === undefined);
  await world.remove(registrations, 'kuard');
  await until(async () => (await world.get(registrations, 'kuard')) === undefined);
  const left = await world.client.list(deployments, { namespace: 'default' }, never);
  expect(left.type === 'ok' && left.items).toEqual([]);
  expect(world.hook.phases()).toContain('finalize');
  return { isDead: killer.isDead, end };
}

test.for(['before', 'after'] as const)(
  'killed %s a write, whichever it is, everything ends where it should',
  { timeout: 120_000 },
  async (how) => {
    let at = 1;
    for (; ; at += 1) {
      const { isDead, end } = await live(at, how);
      expect({ at, ...end }).toEqual({
        at,
        env: { HOOK: 'yes', VARIABLE2: 'two', VARIABLE3: 'three' },
        account: 'hook',
        conditions: { DeploymentReady: 'True MinimumReplicasAvailable', Ready: 'True CONDITIONSOK' },
        finalizers: ['scoby.triggermesh.io/finalizer'],
      });
      if (!isDead) break;
    }
    expect(at).toBeGreaterThan(15);
  },
);
