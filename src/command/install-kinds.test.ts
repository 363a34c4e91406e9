import { expect, onTestFinished, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { instant, millis, parseTime } from '#base/time.ts';
import { crdName } from '#schema/kind/crd.ts';
import { kinds } from '#cli/kinds.ts';
import { simulationProfile } from '#embedded/nodes/profile/simulation-profile.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { noRules } from '#embedded/nodes/pod/pod-sync.ts';
import { startEmbedded } from '#embedded/start.ts';
import { installKinds } from './install-kinds.ts';
import { simulationProfiles, startSimulationRules } from '#embedded/nodes/profile/simulation-rules.ts';

const definitions = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const never = new AbortController().signal;

async function bareServer(): Promise<{ readonly client: KubeClient; readonly clock: ManualClock }> {
  const clock = manualClock(parseTime('2026-05-04T12:00:00Z') ?? instant(0));
  const embedded = await startEmbedded({
    journal: memoryJournal(),
    clock,
    random: seededRandom(1),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'the authority',
    kubeControllers: new Set(),
    report: (error) => {
      throw error;
    },
  });
  onTestFinished(() => embedded.close());
  const transport = inProcessTransport(embedded.server.serve, { user: 'admin', groups: ['system:masters'] });
  return { clock, client: createClient({ transport, clock, userAgent: 'test' }) };
}

async function definition(client: KubeClient): Promise<KubeObject> {
  const found = await client.get(definitions, { name: crdName(simulationProfile) }, never);
  if (found.type !== 'ok') throw new Error(found.message);
  return found.object;
}

test('kinds are served when it is done; a second time changes nothing, and an old schema is replaced', async () => {
  const { client } = await bareServer();
  await installKinds(client, kinds, never);
  expect((await client.list(simulationProfiles, {}, never)).type).toBe('ok');
  const before = await definition(client);
  await installKinds(client, kinds, never);
  expect(resourceVersionOf(await definition(client))).toBe(resourceVersionOf(before));

  const old = { ...simulationProfile, shortNames: ['oldprofile'], columns: [] };
  await installKinds(client, [old], never);
  expect(listAt(await definition(client), 'spec', 'names', 'shortNames')).toEqual(['oldprofile']);
  await installKinds(client, kinds, never);
  const after = await definition(client);
  expect(objectAt(after, 'spec')).toEqual(objectAt(before, 'spec'));
  expect(textAt(after, 'spec', 'names', 'kind')).toBe('SimulationProfile');
});

const profile = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'boathook.dev/v1alpha1',
  kind: 'SimulationProfile',
  metadata: { name },
  spec,
});
const pod = { metadata: { name: 'web', namespace: 'shop', uid: 'u-1' }, spec: { containers: [] } };

test('rules follow the profiles of the cluster, in the order of their names, until they expire', async () => {
  const { client, clock } = await bareServer();
  await installKinds(client, kinds, never);
  const create = async (object: JsonObject): Promise<void> => {
    const made = await client.create(simulationProfiles, object, never);
    if (made.type !== 'ok') throw new Error(made.message);
  };
  await create(profile('b', { rules: [{ name: 'late', set: { probe: 'fail' } }] }));
  const stop = new AbortController();
  onTestFinished(() => stop.abort(new Error('the test is over')));
  const deps = { client, clock, random: seededRandom(1), seed: 1 };
  const followed = await startSimulationRules(deps, stop.signal);
  const now = (): JsonObject => followed.rules(pod, clock.now());
  const change = (): Promise<void> => new Promise((resolve) => followed.onChange(resolve));
  expect(now()).toEqual({ probe: 'fail' });

  let changed = change();
  const expiresAt = '2026-05-04T12:00:10Z';
  await create(profile('a', { expiresAt, rules: [{ name: 'early', set: { probe: 'ok', pull: 'error' } }] }));
  await changed;
  expect(now()).toEqual({ probe: 'fail', pull: 'error' });

  changed = change();
  clock.advance(millis(10_000));
  await changed;
  expect(now()).toEqual({ probe: 'fail' });

  changed = change();
  await client.remove(simulationProfiles, { name: 'b' }, never);
  await changed;
  expect(now()).toBe(noRules);
});

test.for([
  [{ rules: [] }, /should have at least 1 items/],
  [{ rules: [{ name: 'x', set: {} }] }, /should have at least 1 properties/],
  [{ rules: [{ name: 'x', set: { 'crash-after': 'soon' } }] }, /should match/],
  [{ rules: [{ name: 'x', probability: 2, set: { pull: 'ok' } }] }, /less than or equal to 1/],
  [{ rules: [{ name: 'x', expiresAt: 'tomorrow', set: { pull: 'ok' } }] }, /date-time/],
] as const)('the server refuses %j', async ([spec, why]) => {
  const { client } = await bareServer();
  await installKinds(client, kinds, never);
  const made = await client.create(simulationProfiles, profile('bad', spec), never);
  expect(made.type).toBe('invalid');
  expect(made.type === 'ok' ? '' : made.message).toMatch(why);
});
