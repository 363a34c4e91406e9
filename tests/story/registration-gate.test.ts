import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import type { Resource } from '#kube/resource.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { definition, kuard, registration, usualSpec } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  envOf,
  kuards,
  messageOf,
  never,
  openRegistrationWorld,
  registrations,
  type RegistrationWorld,
} from '../support/registration-world.ts';

const child = 'kuard-my-kuard';
const resource = (plural: string): Resource => ({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  plural,
  namespaced: true,
});
const [templates, runs] = [resource('hooktemplates'), resource('hookruns')];

const template = (url: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name: 'age', namespace: 'default' },
  spec: {
    metrics: [
      {
        name: 'age',
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: `${url}/age`, jsonPath: '{$.age}' } },
        ...more,
      },
    ],
  },
});

type Gated = AsyncDisposable & {
  readonly world: RegistrationWorld;
  age: number | 'hang';
  runs(): Promise<readonly KubeObject[]>;
  state(): Promise<string | undefined>;
  variable(): Promise<unknown>;
};

async function openGated(
  wish: { readonly spec?: JsonObject; readonly metric?: JsonObject } = {},
): Promise<Gated> {
  const world = await openRegistrationWorld();
  const gated: Gated = {
    world,
    age: 20,
    async runs() {
      const listed = await world.client.list(runs, { namespace: 'default' }, never);
      return listed.type === 'ok' ? listed.items : [];
    },
    state: async () => conditionsOf(await world.instance())['Reconciled'],
    variable: async () => envOf(await world.get(deployments, child))['VARIABLE1'],
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
  world.hook.answer = () => (gated.age === 'hang' ? 'hang' : { age: gated.age });
  await world.make(templates, template(world.hook.url, wish.metric));
  await world.make(definitions, definition());
  await world.make(registrations, registration({ more: { gate: { templateName: 'age' } } }));
  await world.make(kuards, kuard(wish.spec ?? usualSpec));
  await world.settle();
  return gated;
}

const isReady = async ({ world }: Gated): Promise<boolean> =>
  conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK';

test('after a failed gate nothing is applied; existing children stay', async () => {
  await using gated = await openGated();
  const { world } = gated;
  await world.until(() => isReady(gated));
  gated.age = 40;
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'bad' } });
  await world.until(async () => (await gated.state()) === 'False GATECLOSED', 30);
  expect(await gated.variable()).toBe('value 1');
  expect((await world.told('my-kuard')).join('\n')).toMatch(
    /GateClosed.*HookRun default\/.* is Failed.*delete it/,
  );
  await world.client.patch(
    deployments,
    { namespace: 'default', name: child },
    { type: 'merge', body: { spec: { replicas: 5 } } },
    never,
  );
  await world.pass(5);
  expect(textAt(await world.instance(), 'spec', 'variable1')).toBe('bad');
  expect(await world.get(deployments, child)).toMatchObject({ spec: { replicas: 5 } });
  gated.age = 20;
  await world.patch(kuards, 'my-kuard', { spec: { variable1: 'good' } });
  await world.until(() => isReady(gated), 30);
  expect(await gated.variable()).toBe('good');
  expect(await world.get(deployments, child)).toMatchObject({ spec: { replicas: 1 } });
});

test('a gate whose template is deleted is closed, and one whose template changes runs again', async () => {
  await using gated = await openGated();
  const { world } = gated;
  await world.until(() => isReady(gated));
  await world.remove(templates, 'age');
  await world.settle();
  expect(await gated.state()).toBe('Unknown GATEWAITING');
  expect(messageOf(await world.instance(), 'Reconciled')).toContain(
    'the gate HookTemplate default/age does not exist',
  );
  expect(await world.get(deployments, child)).toBeDefined();
  gated.age = 35;
  await world.make(templates, template(world.hook.url));
  await world.until(async () => (await gated.state()) === 'False GATECLOSED', 30);
  await world.client.patch(
    templates,
    { namespace: 'default', name: 'age' },
    { type: 'merge', body: template(world.hook.url, { successCondition: 'asInt(result) < 50' }) },
    never,
  );
  await world.until(() => isReady(gated), 30);
});

test('a deleted run is created again, without a verdict nothing is applied, and none runs twice', async () => {
  await using gated = await openGated();
  const { world } = gated;
  await world.until(() => isReady(gated));
  const asked = world.hook.asked.length;
  await world.pass(60, 5);
  expect(world.hook.asked).toHaveLength(asked);
  gated.age = 'hang';
  const [run] = await gated.runs();
  await world.remove(runs, nameOf(run ?? {}));
  await world.settle();
  expect(await gated.state()).toBe('Unknown GATEWAITING');
  expect((await gated.runs()).map(nameOf)).toEqual([nameOf(run ?? {})]);
  await world.patch(registrations, 'kuard', { spec: { workload: { fromImage: { repo: 'kuard:new' } } } });
  await world.settle();
  expect(JSON.stringify(await world.get(deployments, child))).not.toContain('kuard:new');
});

test('runs about earlier states do not pile up, and those without a verdict end', async () => {
  await using gated = await openGated();
  const { world } = gated;
  await world.until(() => isReady(gated));
  for (let at = 0; at < 8; at += 1) {
    await world.pass(1);
    await world.patch(kuards, 'my-kuard', { spec: { variable1: `v${at}` } });
    await world.until(() => isReady(gated), 30);
  }
  expect((await gated.runs()).length).toBeLessThanOrEqual(4);
  // So much of a hurry is braked otherwise.
  await world.pass(60, 10);
  gated.age = 'hang';
  for (const value of ['x', 'y', 'z']) {
    await world.patch(kuards, 'my-kuard', { spec: { variable1: value } });
    await world.settle();
  }
  const open = (await gated.runs()).filter((run) => !/Successful/.test(textAt(run, 'status', 'phase') ?? ''));
  expect(open).toHaveLength(1);
  // The clock that counts here is the machine's: a server learns late that a caller has hung up.
  await expect.poll(() => world.hook.hanging, { timeout: 10_000 }).toBe(1);
});

test('an instance whose spec looks like that of a workload takes no run that is another’s', async () => {
  await using gated = await openGated({ spec: { selector: { matchLabels: { a: 'b' } } } });
  const { world } = gated;
  await world.make(kuards, kuard({ selector: 'a text' }, 'texted'));
  await world.make(runs, {
    ...template(world.hook.url),
    kind: 'HookRun',
    metadata: { name: 'stray', namespace: 'default', labels: { a: 'b' } },
  });
  await world.until(() => isReady(gated), 30);
  await world.until(
    async () => conditionsOf(await world.instance('texted'))['Ready'] === 'True CONDITIONSOK',
    30,
  );
  expect(world.reports).toEqual([]);
});
