import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { readRegistration } from '#decide/registration/read-registration.ts';
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
const [instance] = instancesOf(registration.crd, others);

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

test('without replies the hook has no wishes', async () => {
  await using replies = recordedReplies(undefined);
  const { children } = await render(replies.ask);
  expect(children).toHaveLength(2);
  expect(JSON.stringify(children)).not.toContain('FROM_HOOK_VAR');
});

test('a live hook is asked, and one that is not there is told', async () => {
  const hook = defineReconcileHook({ preReconcile: () => ({ envVars: [{ name: 'LIVE', value: '1' }] }) });
  const server = await hook.listen({ port: 0, host: '127.0.0.1' });
  const hookUrl = `http://127.0.0.1:${server.port}/`;
  await using live = askingLive({ registration, others, flags: { ...flags, hookUrl } });
  expect(JSON.stringify((await render(live.ask)).children)).toContain('"LIVE"');
  await server.close();
  expect(await render(live.ask)).toMatchObject({ children: [], isFailed: true, isUnreachable: true });
});

test('files without a registration, or without an object', () => {
  expect(() => readFiles([example('instance.yaml')])).toThrow(/no CRDRegistration/);
  expect(() => readFiles([written('list.yaml', '- 1')])).toThrow(/no Kubernetes object/);
  expect(() => readFiles([written('twice.yaml', 'kind: A\nkind: B')])).toThrow(/already set/);
});
