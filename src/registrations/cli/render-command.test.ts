import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import { readRegistration } from '#registrations/read.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { defineReconcileHook } from '#sdk/sdk.ts';
import { kindOf } from '#kube/object.ts';
import { askingLive, recordedReplies, type AskHook } from './ask-hook.ts';
import { instancesOf, readFiles } from './read-files.ts';
import { renderLocally, type LocalRender } from './render-locally.ts';

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../examples/reconcile/${name}`, import.meta.url));
const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());
const written = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

const flags = { namespace: 'default', clusterDomain: 'cluster.local' };
const { registrations, crds, others } = readFiles(
  ['registration.yaml', 'crd.yaml', 'instance.yaml', 'service.yaml'].map(example),
);
const read = readRegistration(registrations[0] ?? null);
if (read.type === 'refused') throw new Error(JSON.stringify(read.errors));
const { registration } = read;
const [instance] = instancesOf(registration.crd, crds[0], others);

const render = (ask: AskHook): Promise<LocalRender> =>
  renderLocally({ registration, instance: instance ?? {}, others, crd: crds[0], flags }, ask);

test('the example is found in its files', () => {
  expect(registration.name).toBe('kuard');
  expect(textAt(instance, 'metadata', 'name')).toBe('my-kuard-extension');
  expect(others.map(kindOf)).toEqual(['Kuard', 'Service']);
});

test('a recorded reply for each phase', async () => {
  await using replies = recordedReplies(example('reply.json'));
  const { children, isFailed, notes } = await render(replies.ask);
  expect(children.map(kindOf)).toEqual(['Deployment', 'Service']);
  expect(JSON.stringify(children)).toContain(
    '"name":"FROM_HOOK_VAR","value":"this value is set from the hook"',
  );
  expect(JSON.stringify(children)).toContain('"limits":{"cpu":"250m"}');
  expect([isFailed, notes]).toEqual([false, []]);
});

test('one reply for all phases, and one that stops', async () => {
  await using replies = recordedReplies(written('halt.json', '{"error":{"message":"not today"}}'));
  expect(await render(replies.ask)).toMatchObject({
    children: [],
    isFailed: true,
    notes: [expect.stringMatching(/pre-reconcile: not today/)],
  });
  expect(() => recordedReplies(written('bad.json', '{'))).toThrow(/is not JSON/);
});

test('without replies the hook changes nothing', async () => {
  await using replies = recordedReplies(undefined);
  const { children } = await render(replies.ask);
  expect(children).toHaveLength(2);
  expect(JSON.stringify(children)).not.toContain('FROM_HOOK_VAR');
});

test('a live hook is called, and an absent one is reported', async () => {
  const hook = defineReconcileHook({ preReconcile: () => ({ envVars: [{ name: 'LIVE', value: '1' }] }) });
  const server = await hook.listen({ port: 0, host: '127.0.0.1' });
  const hookUrl = `http://127.0.0.1:${server.port}/`;
  await using live = askingLive({ registration, others, flags: { ...flags, hookUrl } });
  expect(JSON.stringify((await render(live.ask)).children)).toContain('"LIVE"');
  await server.close();
  expect(await render(live.ask)).toMatchObject({ children: [], isFailed: true, isUnreachable: true });
});

test('a live hook gets the token and the signature, from the files', async () => {
  const hook = defineReconcileHook({
    secret: 'key',
    preReconcile: () => ({ envVars: [{ name: 'SIGNED', value: '1' }] }),
  });
  await using server = await hook.listen({ port: 0, host: '127.0.0.1' });
  const spec = registration.hook;
  if (spec === undefined) throw new Error('the example has no hook');
  const signed = {
    ...registration,
    hook: { ...spec, auth: { ...spec.auth, hmac: { name: 'keys', key: 'hmac' } } },
  };
  const where = { ...flags, hookUrl: `http://127.0.0.1:${server.port}/` };
  expect(() => askingLive({ registration: signed, others, flags: where })).toThrow(
    /a call needs Secret default\/keys: add it with -f/,
  );
  const keys = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'keys' },
    stringData: { hmac: 'key' },
  };
  await using live = askingLive({ registration: signed, others: [...others, keys], flags: where });
  expect(JSON.stringify((await render(live.ask)).children)).toContain('"SIGNED"');
});

test('files without a registration, or without an object', () => {
  expect(() => readFiles([example('instance.yaml')])).toThrow(/no CRDRegistration/);
  expect(() => readFiles([written('list.yaml', '- 1')])).toThrow(/not a Kubernetes object/);
  expect(() => readFiles([written('twice.yaml', 'kind: A\nkind: B')])).toThrow(/already set/);
});

const thing = (kind: string, apiVersion = 'extensions.triggermesh.io/v1') => ({ apiVersion, kind });

test.for<[string, boolean, readonly string[]]>([
  ['kuards.extensions.triggermesh.io', true, ['Kuard']],
  ['kuards.extensions.triggermesh.io', false, ['Kuard']],
  ['policies.extensions.triggermesh.io', false, ['Policy']],
  // Nothing sounds like it: an irregular plural, perhaps.
  ['mice.extensions.triggermesh.io', false, ['Kuard', 'Policy']],
  ['kuards.example.com', false, []],
])('instances of %s, with its definition at hand: %s', ([name, isKnown, kinds]) => {
  const all = [thing('Kuard'), thing('Policy'), thing('Kuard', 'other.io/v1')];
  expect(instancesOf(name, isKnown ? crds[0] : undefined, all).map(kindOf)).toEqual(kinds);
});

test.for<[string, Record<string, unknown>, RegExp]>([
  ['rests', { annotations: { 'boathook.dev/paused': 'true' } }, /boathook\.dev\/paused pauses it/],
  ['is on its way out', { deletionTimestamp: '2026-01-01T00:00:00Z' }, /it is being deleted/],
])('an instance that %s is not rendered, with the reason', async ([, meta, note]) => {
  await using replies = recordedReplies(undefined);
  const other = { ...instance, metadata: { name: 'x', namespace: 'default', ...meta } } as JsonObject;
  const given = { registration, instance: other, others, crd: crds[0], flags };
  expect(await renderLocally(given, replies.ask)).toMatchObject({
    children: [],
    isFailed: false,
    notes: [expect.stringMatching(note)],
  });
});
