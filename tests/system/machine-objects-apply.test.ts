import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import {
  clusterOf,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const address = '192.0.2.1';

/** Where nothing answers and nothing is to be done: only the answer of the server counts. */
const still = (name: string, features: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  clusterOf(name, [address], features, { paused: true, ...more });

async function refused(
  world: ObjectsWorld,
  object: JsonObject,
  ...flags: readonly string[]
): Promise<string> {
  const { code, out, error } = await world.kubectl(['create', ...flags, '-f', '-'], JSON.stringify(object));
  expect({ code, out }).toEqual({ code: 1, out: '' });
  return error;
}

test('invalid hooks are refused at apply, whatever their shape; so are unknown fields', async () => {
  await using world = await openObjectsWorld([]);
  const hook = (value: Json): JsonObject => still('cls-bad', { hooks: { PreInstall: value } });
  for (const value of [5, true, ['/x'], '', {}, { templateName: '' }])
    expect(await refused(world, hook(value)), JSON.stringify(value)).toMatch(
      /spec\.features\.hooks\.PreInstall/,
    );
  expect(await refused(world, still('cls-bad', { hooks: { PreInstal: '/x' } }))).toContain(
    'unknown field "spec.features.hooks.PreInstal"',
  );
  expect(await refused(world, still('cls-bad', {}, { instaler: 'none' }))).toContain(
    'unknown field "spec.instaler"',
  );
  const twice = { hooks: { PreInstall: '/x', HookPreInstall: '/x' } };
  expect(await refused(world, still('cls-bad', twice))).toContain('"spec.features.hooks" must not validate');
  expect(await refused(world, clusterOf('cls-bad', [address, address], {}))).toContain(
    'spec.machines[1]: Duplicate value',
  );
  const plain = clusterOf('cls-bad', [], {}, { machines: [{ ip: address, password: 'sentinel!' }] });
  const said = await refused(world, plain);
  expect(said).toContain('spec.machines[0].password: Invalid value: "string": must be in base64');
  expect(said).not.toContain('sentinel');

  // Without validation an unknown key is dropped silently.
  const loose = ['create', '--validate=false', '-o', 'jsonpath={.spec.features.hooks}', '-f', '-'];
  const text = JSON.stringify(still('cls-loose', { hooks: { PreInstal: '/x', PreInstall: '/x' } }));
  expect((await world.kubectl(loose, text)).out).toBe('{"PreInstall":"/x"}');
  const warned = await world.kubectl(
    ['create', '--validate=warn', '-f', '-'],
    text.replace('cls-loose', 'cls-w'),
  );
  expect(warned.error).toContain('unknown field "spec.features.hooks.PreInstal"');
});

test('what a cluster is cannot change: its type, its first machine; nor where a Machine belongs', async () => {
  await using world = await openObjectsWorld([]);
  await world.apply(still('cls-1'), machineOf('mc-1', 'cls-none', '192.0.2.2'));
  const patched = async (object: string, spec: JsonObject): Promise<string> => {
    const patch = JSON.stringify({ spec });
    const { code, error } = await world.kubectl(['patch', object, '--type=merge', '-p', patch]);
    expect(code).toBe(1);
    return error;
  };
  expect(await patched('cluster/cls-1', { type: 'Edge' })).toContain('the type cannot change');
  const machines = [{ ip: '192.0.2.9', password: btoa('x') }];
  expect(await patched('cluster/cls-1', { machines })).toContain('the first machine cannot be replaced');
  expect(await patched('machine/mc-1', { clusterName: 'cls-1' })).toContain(
    'a machine cannot change its cluster',
  );
  expect(await patched('machine/mc-1', { ip: '192.0.2.9' })).toContain('a machine cannot change its address');
  expect(await patched('machine/mc-1', { type: 'Edge' })).toContain('the type cannot change');

  // A Machine whose Cluster does not exist waits for it, and reports that.
  const waiting = await world.until('machine', 'mc-1', ({ status }) => status !== undefined);
  expect(waiting).toMatchObject({
    status: { reason: 'ClusterMissing', message: 'The Cluster cls-none does not exist: create it.' },
  });
  expect((await world.kubectl(['delete', 'machine', 'mc-1', '--timeout=300s'])).code).toBe(0);
});

test('names: given, generated, and none', async () => {
  await using world = await openObjectsWorld([]);
  const generated = { ...still('x'), metadata: { generateName: 'cls-' } };
  const made = await world.kubectl(['create', '-f', '-', '-o', 'name'], JSON.stringify(generated));
  expect(made.out).toMatch(/^cluster\.platform\.tkestack\.io\/cls-[a-z0-9]{5}\n$/);
  expect(await refused(world, { ...still('x'), metadata: {} })).toContain('name or generateName is required');
  expect(await refused(world, still('cls-A'))).toContain('RFC 1123');
});

test('columns, explanations and short names are those of a kind of Kubernetes', async () => {
  await using world = await openObjectsWorld([]);
  await world.apply(still('cls-1'), machineOf('mc-1', 'cls-1', '192.0.2.2'));
  const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await world.kubectl(args)).out.split('\n').map((line) => line.trimEnd().replaceAll(/ {2,}/g, '|'));
  expect(await lines('get', 'cls')).toEqual([
    'NAME|TYPE|VERSION|STATUS|REASON|AGE',
    expect.stringMatching(/^cls-1\|Baremetal\|1\.30\.1\|.*\d+s$/) as string,
    '',
  ]);
  expect((await lines('get', 'mc'))[0]).toBe('NAME|CLUSTER|TYPE|IP|VERSION|STATUS|REASON|AGE');
  const explained = (await world.kubectl(['explain', 'cluster.spec.features.hooks.PreInstall'])).out;
  expect(explained).toContain('Numbers, lists');
  expect(explained).toMatch(/templateName\s+<string> -required-/);
  expect((await world.kubectl(['explain', 'cluster.spec.features.hooks'])).out).toContain(
    'The prefix Hook of a type is optional; a type must not occur twice.',
  );
  const wait = ['wait', '--for=condition=Ready=False', 'cluster/cls-1', '--timeout=300s'];
  expect((await world.kubectl(wait)).out).toBe('cluster.platform.tkestack.io/cls-1 condition met\n');
});

test('a template that has both a body and a jsonBody is refused at apply', async () => {
  await using world = await openObjectsWorld([]);
  const web = { url: 'http://127.0.0.1:1', body: 'a', jsonBody: { b: 1 } };
  const template = (provider: JsonObject): JsonObject => ({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name: 't', namespace: 'default' },
    spec: { metrics: [{ name: 'm', provider }] },
  });
  expect(await refused(world, template({ web }))).toContain(
    '"spec.metrics[0].provider.web" must not validate the schema (not)',
  );
  const { jsonBody: _json, ...plain } = web;
  await world.apply(template({ web: plain }));
});
