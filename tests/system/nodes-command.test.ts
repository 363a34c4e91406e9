import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Agent, request } from 'undici';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { formatMicroTime } from '#base/time.ts';
import { ensureCertificates } from '#edge/certificates.ts';
import { systemClock } from '#edge/clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { figures } from '../../bench/nodes/figures.ts';
import { launchBoathook, runBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { openApi, type HttpsApi, type Thing, type WatchEvent } from '../support/https-api.ts';
import { runProgram, type Ended, type Following } from '../support/program.ts';
import { root } from '../support/project-files.ts';

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const podsPath = '/api/v1/namespaces/default/pods';
const controllers = ['--kube-controllers', 'all'];

const podOf = (name: string, more: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }], ...more },
});

async function playNodes({ kubeconfig }: Boathook, ...flags: readonly string[]): Promise<Following> {
  const played = launchBoathook(['nodes', '--kubeconfig', kubeconfig, '--profile', 'instant', ...flags]);
  await played.lineLike(/simulated nodes? on https:\/\/\S+, ready in \d+\.\d\d s$/);
  return played;
}

const json = (thing: Thing): JsonObject => thing as JsonObject;
const conditionIs =
  (type: string, status: string) =>
  ({ object }: WatchEvent): boolean =>
    listAt(json(object), 'status', 'conditions').some(
      (each) => textAt(each, 'type') === type && textAt(each, 'status') === status,
    );
const isReady = conditionIs('Ready', 'True');
const seenPod = (api: HttpsApi, name: string, fits: (event: WatchEvent) => boolean): Promise<WatchEvent> =>
  api.seen(`${podsPath}?watch=1&fieldSelector=metadata.name%3D${name}`, fits);
const appOf = (thing: Thing): JsonObject =>
  (listAt(json(thing), 'status', 'containerStatuses')[0] ?? {}) as JsonObject;

/** As a user of this machine, with or without a certificate; the certificate of the server is not verified. */
async function statusOf(url: string, as?: { readonly cert: string; readonly key: string }): Promise<number> {
  const agent = new Agent({
    connect: { rejectUnauthorized: false, ...(as && { cert: as.cert, key: as.key }) },
  });
  const { statusCode, body } = await request(url, { dispatcher: agent });
  await body.dump();
  await agent.destroy();
  return statusCode;
}

function expectRefusal(ended: Ended, code: number, sentence: RegExp): void {
  expect(ended.error).toMatch(/^boathook: [^\n]+\n$/);
  expect(ended.error).toMatch(sentence);
  expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
}

test('nodes of another process run pods; killed and started again they continue where they were', async () => {
  await using server = await startBoathook({ flags: controllers });
  await using api = openApi(server.access);
  await using first = await playNodes(server);
  await api.create(podsPath, podOf('web'));
  const before = (await seenPod(api, 'web', isReady)).object;
  expect(textAt(json(before), 'spec', 'nodeName')).toMatch(/^sim-node-[123]$/);

  await first.stop('SIGKILL');
  await api.create(podsPath, podOf('late'));
  await using second = await playNodes(server);
  const late = (await seenPod(api, 'late', isReady)).object;
  expect(appOf(late)['restartCount']).toBe(0);
  const after = (await api.send('GET', `${podsPath}/web`)).body;
  expect(appOf(after)).toEqual(appOf(before));

  const node = (await api.send('GET', '/api/v1/nodes/sim-node-1')).body;
  expect(node.metadata?.['labels']).toMatchObject({ 'sim.boathook.dev/node': 'true' });
  expect(await second.stop()).toEqual({ code: 0, signal: null });
  expect(second.errors()).toBe('');
});

test('a node of another owner and its pods are left alone', async () => {
  await using server = await startBoathook({ flags: controllers });
  await using api = openApi(server.access);
  await api.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'sim-node-2' } });
  const foreign = await api.create(podsPath, podOf('foreign', { nodeName: 'sim-node-2' }));
  await using played = await playNodes(server, '--nodes', '2');
  await api.create(podsPath, podOf('ours'));
  const ours = (await seenPod(api, 'ours', isReady)).object;
  expect(textAt(json(ours), 'spec', 'nodeName')).toBe('sim-node-1');
  const untouched = (await api.send('GET', `${podsPath}/foreign`)).body;
  expect(untouched.metadata?.resourceVersion).toBe(foreign.metadata?.resourceVersion);
  await played.errorLike(/left alone/);
});

test('they survive a restart of the server', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  await using server = await startBoathook({ dataDir, flags: controllers });
  await using played = await playNodes(server, '--nodes', '1');
  await server.stop('SIGKILL');
  await played.errorLike(/ECONNREFUSED/);
  await using again = await startBoathook({
    dataDir,
    flags: [...controllers, '--port', String(server.port)],
  });
  await using api = openApi(again.access);
  await api.create(podsPath, podOf('web'));
  await seenPod(api, 'web', isReady);
});

test('profiles of the cluster decide what happens to pods, until they are deleted', async () => {
  await using server = await startBoathook({ flags: controllers });
  await using api = openApi(server.access);
  const profiles = '/apis/boathook.dev/v1alpha1/simulationprofiles';
  const rule = { name: 'broken', match: { matchLabels: { mood: 'bad' } }, set: { probe: 'fail' } };
  await api.create(profiles, {
    apiVersion: 'boathook.dev/v1alpha1',
    kind: 'SimulationProfile',
    metadata: { name: 'bad-day' },
    spec: { rules: [rule] },
  });
  await using played = await playNodes(server);
  await api.create(podsPath, podOf('bad', {}, { mood: 'bad' }));
  await api.create(podsPath, podOf('good'));
  await seenPod(api, 'good', isReady);
  const running = conditionIs('PodReadyToStartContainers', 'True');
  const bad = await seenPod(api, 'bad', (event) => running(event) && 'started' in appOf(event.object));
  expect(conditionIs('Ready', 'False')(bad)).toBe(true);
  await api.send('DELETE', `${profiles}/bad-day`);
  await seenPod(api, 'bad', isReady);
  expect(played.errors()).toBe('');
});

test('the logs of their pods come from the server only', async () => {
  await using server = await startBoathook({
    flags: [...controllers, '--nodes', '1', '--profile', 'instant'],
  });
  await using api = openApi(server.access);
  await using played = await playNodes(server, '--nodes', '1');
  const annotations = { 'sim.boathook.dev/log-line': 'ahoy', 'sim.boathook.dev/term-duration': '2s' };
  const pod = podOf('web', { nodeName: 'sim-node-1' });
  await api.create(podsPath, { ...pod, metadata: { name: 'web', annotations } });
  await seenPod(api, 'web', isReady);
  const logs = async (query = ''): Promise<string> => (await api.text(`${podsPath}/web/log${query}`)).text;
  const started = 'container app of pod default/web started from registry.example.com/app:1';
  expect(await logs()).toBe(`${started}\nahoy\n`);
  expect(await logs('?tailLines=1')).toBe('ahoy\n');
  await runBoathook(['sim', 'crash', 'web', '--kubeconfig', server.kubeconfig]);
  await seenPod(api, 'web', ({ object }) => appOf(object)['restartCount'] === 1);
  expect(await logs('?previous=true')).toBe(`${started}\nahoy\ncontainer app ended with code 1 (Error)\n`);

  const { body: node } = await api.send('GET', '/api/v1/nodes/sim-node-1');
  const port = numberAt(json(node), 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port');
  const logUrl = `https://127.0.0.1:${port}/containerLogs/default/web/app`;
  using folder = tempDir();
  const { admin } = await ensureCertificates(folder.path, { now: systemClock.now() });
  const foreign = { cert: admin.certificate, key: admin.key };
  expect([
    await statusOf(logUrl),
    await statusOf(logUrl, foreign),
    await statusOf(logUrl, server.access),
  ]).toEqual([401, 401, 200]);
  const following = api.text(`${podsPath}/web/log?follow=true`);
  await api.send('DELETE', `${podsPath}/web`);
  expect((await following).text).toMatch(/\nahoy\n(.*\n)*container app ended with code 0 \(Completed\)\n$/);
  await api.create(podsPath, { ...pod, metadata: { name: 'web', annotations } });
  await seenPod(api, 'web', isReady);
  await played.stop('SIGKILL');
  expect(await logs()).toMatch(/the process that plays the node does not answer/);
});

test('a second process does not take the nodes of the first', async () => {
  await using server = await startBoathook({
    flags: [...controllers, '--nodes', '2', '--profile', 'instant'],
  });
  await using api = openApi(server.access);
  await using first = await playNodes(server, '--nodes', '2');
  const again = ['nodes', '--kubeconfig', server.kubeconfig, '--nodes', '3'];
  expectRefusal(
    await runBoathook(again),
    3,
    /node sim-node-[12] is already played by process \d+ on .*--name-prefix/,
  );
  expectRefusal(
    await runBoathook([...again, '--name-prefix', 'node-']),
    3,
    /node node-[12] is already played/,
  );
  await using _other = await playNodes(server, '--nodes', '2', '--name-prefix', 'other-');
  const { body } = await api.send('GET', '/api/v1/nodes');
  const ranges = listAt(json(body), 'items').map((node) => textAt(node, 'spec', 'podCIDR'));
  expect(new Set(ranges).size).toBe(6);
  expect(first.errors()).toBe('');
});

test('where a cluster has its own scheduler, only pods that request ours get it', async () => {
  await using server = await startBoathook({ flags: controllers });
  await using api = openApi(server.access);
  await api.create('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'kube-scheduler' },
    spec: { holderIdentity: 'somebody', renewTime: formatMicroTime(systemClock.now()) },
  });
  await using _played = await playNodes(server);
  await api.create(podsPath, podOf('theirs'));
  await api.create(podsPath, podOf('ours', { schedulerName: 'boathook-scheduler' }));
  await seenPod(api, 'ours', isReady);
  const { body: node } = await api.send('GET', '/api/v1/nodes/sim-node-1');
  expect(node['spec']).toMatchObject({ taints: [{ key: 'sim.boathook.dev/node', effect: 'NoSchedule' }] });
  const { body: theirs } = await api.send('GET', `${podsPath}/theirs`);
  expect(textAt(json(theirs), 'spec', 'nodeName')).toBeUndefined();
});

test('sim crashes pods, turns probes and switches nodes', async () => {
  await using server = await startBoathook({
    flags: [...controllers, '--nodes', '2', '--profile', 'instant'],
  });
  await using api = openApi(server.access);
  const sim = (...args: readonly string[]): Promise<Ended> =>
    runBoathook(['sim', ...args, '--kubeconfig', server.kubeconfig]);
  await api.create(podsPath, podOf('web'));
  await seenPod(api, 'web', isReady);

  const crashed = await sim('crash', 'web', '-c', 'app', '-o', 'json');
  expect({ code: crashed.code, error: crashed.error }).toEqual({ code: 0, error: '' });
  expect(JSON.parse(crashed.out)).toMatchObject({ action: 'crash', namespace: 'default', pod: 'web' });
  await seenPod(api, 'web', ({ object }) => appOf(object)['restartCount'] === 1);

  expect((await sim('unready', 'web')).out).toBe('pod default/web: its readiness probe fails from now on\n');
  await seenPod(api, 'web', conditionIs('Ready', 'False'));
  expect((await sim('ready', 'web', '-n', 'default')).code).toBe(0);
  await seenPod(api, 'web', isReady);

  expect((await sim('node', 'down', 'node-1')).out).toBe('node node-1 gives no more signs of life\n');
  const node = async (): Promise<unknown> =>
    (await api.send('GET', '/api/v1/nodes/node-1')).body.metadata?.['annotations'];
  expect(await node()).toMatchObject({ 'sim.boathook.dev/down': 'true' });
  expect((await sim('node', 'up', 'node-1')).code).toBe(0);
  expect(await node()).not.toHaveProperty(['sim.boathook.dev/down']);

  await api.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'real' } });
  expectRefusal(await sim('node', 'down', 'real'), 1, /node real is not simulated/);
  expectRefusal(await sim('crash', 'nobody'), 1, /pod default\/nobody does not exist/);
  expectRefusal(await sim('crash', 'web', '-c', 'tea'), 2, /no container tea: choose from app/);
  expectRefusal(await sim('crash', 'web', '-o', 'xml'), 2, /-o xml is not known/);
  await server.stop();
  expectRefusal(await sim('crash', 'web'), 5, /cannot be reached/);
});

test.for([
  [['nodes', '--kubeconfig', '/nowhere/config'], /no kubeconfig at \/nowhere\/config/],
  [['nodes', '--nodes', '0'], /--nodes 0 leaves nothing to do/],
  [['nodes', '--profile', 'lazy'], /--profile lazy does not exist/],
  [['nodes', '--name-prefix', 'Ä'], /--name-prefix Ä cannot begin/],
  [['sim', 'crash', 'web', '--kubeconfig', '/nowhere/config'], /no kubeconfig at/],
] as const)('%j is bad input', async ([args, sentence]) => {
  expectRefusal(await lines.run(args), 2, sentence);
});

test("a quick run of the nodes' benchmark gives every figure that is promised", async () => {
  const args = ['bench/main.ts', 'nodes', '--quick', '-o', 'json'];
  const { code, out, error } = await runProgram(process.execPath, args, { cwd: root });
  expect(code, error).toBe(0);
  const { figures: rows } = JSON.parse(out) as {
    readonly figures: readonly (JsonObject & { measured: number })[];
  };
  expect(rows.map(({ id, target }) => [id, target])).toEqual(figures.map(({ id, target }) => [id, target]));
  // So short a rest may cost less than the kernel counts.
  expect(rows.filter(({ id, measured }) => !(measured > 0) && id !== 'rest-cpu')).toEqual([]);
  const unknown = await runProgram(process.execPath, [...args, '--only', 'teatime'], { cwd: root });
  expect({ code: unknown.code, out: unknown.out }).toEqual({ code: 2, out: '' });
  expect(unknown.error).toMatch(/^bench: --only names teatime, which does not exist: choose from ready-rate/);
});
