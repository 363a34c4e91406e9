import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { definition, hookAt, kuard, registration, usualSpec } from '../support/kuard.ts';
import { killedProcess, type How } from '../support/killed-process.ts';
import { plainly } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  envOf,
  isReady,
  kuards,
  never,
  openRegistrationWorld,
  registrations,
  serviceAccounts,
  services,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';

type Life = { readonly isDead: boolean; readonly end: JsonObject };

/** An instance that comes, changes and goes, and then its registration, under a controller that dies at a write. */
async function live(at: number, how: How): Promise<Life> {
  const { world, killer, until } = await killedWorld(at, how);
  await using _ = world;
  world.hook.answer = ({ phase }) =>
    phase === 'pre-reconcile'
      ? { envVars: [{ name: 'HOOK', value: 'yes' }] }
      : {
          patches: phase === 'finalize' ? [] : [{ serviceAccount: { metadata: { labels: { by: 'hook' } } } }],
        };
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

/** A controller that dies at a write, and the one that comes after it. */
async function killedWorld(
  at: number,
  how: How,
): Promise<{
  readonly world: RegistrationWorld;
  readonly killer: ReturnType<typeof killedProcess>;
  readonly until: (isWanted: () => Promise<boolean>) => Promise<void>;
}> {
  const world = await openRegistrationWorld({ controlled: false });
  const killer = killedProcess(at, how);
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
  return { world, killer, until };
}

const held = async (world: RegistrationWorld, name: string): Promise<boolean> =>
  listAt(await world.get(kuards, name), 'metadata', 'finalizers').length > 0;

/** A registration that goes with instances that a dead hook would never let go. */
async function farewell(at: number, how: How): Promise<boolean> {
  const { world, killer, until } = await killedWorld(at, how);
  await using _ = world;
  await world.make(definitions, definition());
  await world.make(registrations, registration({ hook: hookAt(world.hook.url) }));
  for (const name of ['goes', 'stays', 'too']) await world.make(kuards, kuard(usualSpec, name));
  for (const name of ['goes', 'stays', 'too']) await until(() => held(world, name));
  world.hook.answer = () => plainly(503);
  await world.remove(kuards, 'goes');
  await world.remove(registrations, 'kuard');
  await until(async () => (await world.get(registrations, 'kuard')) === undefined);
  await until(async () => (await world.get(kuards, 'goes')) === undefined);
  for (const name of ['stays', 'too'])
    expect({ at, held: await held(world, name) }).toEqual({ at, held: false });
  return killer.isDead;
}

const templates = {
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  plural: 'hooktemplates',
  namespaced: true,
};

/** An instance behind a gate, which changes. */
async function gated(at: number, how: How): Promise<boolean> {
  const { world, killer, until } = await killedWorld(at, how);
  await using _ = world;
  world.hook.answer = () => ({ age: 20 });
  const web = { url: `${world.hook.url}/age`, jsonPath: '{$.age}' };
  await world.make(templates, {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name: 'age', namespace: 'default' },
    spec: { metrics: [{ name: 'age', successCondition: 'asInt(result) < 30', provider: { web } }] },
  });
  await world.make(definitions, definition());
  await world.make(registrations, registration({ more: { gate: { templateName: 'age' } } }));
  await world.make(kuards, kuard({ variable1: 'one' }));
  await until(() => isReady(world));
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'two' } });
  await until(
    async () => envOf(await world.get(deployments, child))['VARIABLE1'] === 'two' && (await isReady(world)),
  );
  const listed = await world.client.list(
    { ...templates, plural: 'hookruns' },
    { namespace: 'default' },
    never,
  );
  expect({ at, runs: listed.type === 'ok' && listed.items.length }).toEqual({ at, runs: 2 });
  return killer.isDead;
}

test.for([
  ['before', 'a registration that goes with its instances', farewell, 8],
  ['after', 'a registration that goes with its instances', farewell, 8],
  ['before', 'an instance behind a gate', gated, 8],
  ['after', 'an instance behind a gate', gated, 8],
] as const)(
  'killed %s a write, %s ends where it should',
  { timeout: 120_000 },
  async ([how, , live, least]) => {
    let at = 1;
    while (await live(at, how)) at += 1;
    expect(at).toBeGreaterThan(least);
  },
);
