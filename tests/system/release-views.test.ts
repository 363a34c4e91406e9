import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import {
  canaryTerminal,
  gameWorkload,
  hookTemplate,
  imagePath,
  startHookService,
  type CanaryTerminal,
  type HookService,
} from '../support/canary-terminal.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { followProgram, runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.ts';

const launcher = join(root, 'boathook');

let server: Boathook;
let service: HookService;
let canary: CanaryTerminal;
beforeAll(async () => {
  server = await startBoathook({ flags: wholeCluster });
  service = await startHookService(45);
  const [kubectl] = (await findKubectls()).slice(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl');
  canary = canaryTerminal(openTerminal(kubectl, server, 'default'));
  const hook = hookTemplate('age', {
    provider: { web: { url: service.url, jsonPath: '{$.age}' } },
    successCondition: 'asInt(result) < 30',
  });
  await canary.apply(hook);
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const release = (...args: readonly string[]): Promise<Ended> =>
  runProgram(launcher, ['release', ...args], { env: { KUBECONFIG: server.kubeconfig } });

const inTerminal = (columns: number, rows: number, ...args: readonly string[]): Promise<PseudoTerminal> =>
  openPseudoTerminal([launcher, 'release', ...args], {
    columns,
    rows,
    env: { KUBECONFIG: server.kubeconfig, NO_COLOR: '' },
  });

const steps = (...list: readonly JsonObject[]): JsonObject => ({
  replicas: 3,
  updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 1, canary: { steps: list } },
});

/** Creates a workload and waits until its first rollout is complete. */
async function begin(name: string, spec: JsonObject): Promise<void> {
  await canary.apply(gameWorkload('GameDeployment', name, spec));
  await canary.untilStatus('gamedeployment', name, { phase: 'Complete', updatedReadyReplicas: 3 });
}

const setImage = (name: string, image: string): Promise<string> =>
  canary.replace('gamedeployment', name, imagePath, image);
const resume = (name: string): Promise<string> =>
  canary.replace('gamedeployment', name, '/spec/updateStrategy/paused', false);

test('get -w in a terminal: no flicker, no broken line, at any size, and it is restored', async () => {
  await begin('shop', steps({ partition: 2 }, { pause: {} }, { partition: 0 }, { pause: { duration: 2 } }));
  await using terminal = await inTerminal(80, 24, 'get', 'gd/shop', '-w');
  const { screen } = terminal;
  const shows = (text: string) => (): boolean => screen.picture().some((row) => row.includes(text));
  await terminal.until(shows('Complete'));
  expect(screen).toMatchObject({ isAlternate: true, isCursorShown: false });
  await setImage('shop', 'python:3.5');
  await terminal.until(shows('● 2 pause (waits)'));
  expect(screen.picture().find((row) => row.startsWith('Phase:'))).toMatch(
    /^Phase: {5}Paused \(PausedByCanaryPauseStep\) for \d+s$/,
  );
  await terminal.resize(120, 30);
  await terminal.resize(60, 14);
  await terminal.resize(100, 40);
  terminal.press('x\ry');
  await resume('shop');
  // It lasts two seconds only: a frame of before will do.
  await terminal.until(({ frames }) =>
    frames.some(({ rows }) => rows.some((row) => row.includes('4 pause 2s ('))),
  );
  await terminal.until(shows('Complete'));
  terminal.press('\u0003');
  expect(await terminal.ended).toBe(130);
  expect(screen.faults).toEqual([]);
  expect(screen).toMatchObject({ isAlternate: false, isCursorShown: true, doesWrap: true });
  expect(screen.frames.length).toBeGreaterThan(5);
  for (const { rows } of screen.frames) expect(rows[0]).toBe('Name:      gd/shop');
  // What was last seen stays in the terminal.
  expect(screen.ordinary).toContain('Phase:     Complete');
  expect(screen.ordinary).not.toContain('\u001B');
});

test('colours only in a terminal, and not with NO_COLOR', async () => {
  await begin('paint', steps({ pause: {} }));
  await using coloured = await inTerminal(100, 30, 'get', 'paint');
  expect(await coloured.ended).toBe(0);
  expect(coloured.bytes()).toContain('\u001B[32mComplete');
  await using plain = await inTerminal(100, 30, 'get', 'paint', '--no-color');
  expect(await plain.ended).toBe(0);
  expect(plain.bytes()).not.toContain('\u001B');
  const env = { KUBECONFIG: server.kubeconfig, NO_COLOR: '1' };
  await using quiet = await openPseudoTerminal([launcher, 'release', 'get', 'paint'], {
    columns: 100,
    rows: 30,
    env,
  });
  expect(await quiet.ended).toBe(0);
  expect(quiet.bytes()).not.toContain('\u001B');
  expect((await release('get', 'paint')).out).not.toContain('\u001B');
});

test('list -w in a terminal, ended by a signal', async () => {
  await begin('lobby', steps({ partition: 2 }, { pause: {} }));
  await using terminal = await inTerminal(100, 20, 'list', '-w');
  const { screen } = terminal;
  await terminal.until(() => screen.picture().some((row) => /^gd\/lobby +Complete/.test(row)));
  await setImage('lobby', 'python:3.5');
  await terminal.until(() =>
    screen.picture().some((row) => /^gd\/lobby +Paused +2\/2 +3\/3 +python:3\.5/.test(row)),
  );
  terminal.press('q');
  expect(await terminal.ended).toBe(130);
  expect(screen.faults).toEqual([]);
  expect(screen.isCursorShown).toBe(true);
});

test('a terminal that is closed ends the view', async () => {
  await begin('window', steps({ pause: {} }));
  const terminal = await inTerminal(100, 20, 'get', 'window', '-w');
  await terminal.until(({ frames }) => frames.length > 0);
  await terminal.close();
  await expect.poll(() => isAlive(terminal.pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('get -w without a terminal prints a line for each change', async () => {
  await begin('log', steps({ partition: 2 }, { pause: {} }));
  await using followed = followProgram(launcher, ['release', 'get', 'gd/log', '-w'], {
    env: { KUBECONFIG: server.kubeconfig },
  });
  expect(await followed.line()).toMatch(
    /^\S+Z {2}gd\/log: Complete, step 2\/2, 3 of 3 pods ready, 3 updated$/,
  );
  await setImage('log', 'python:3.5');
  // Pods and workloads are watched apart: either line may be the first.
  const wanted = new Set([
    /pod log-\S+: Running, in service, revision 2/,
    /gd\/log: Paused, step 2\/2, .*PausedByCanaryPauseStep/,
  ]);
  while (wanted.size > 0) {
    const line = await followed.line();
    for (const pattern of wanted) if (pattern.test(line)) wanted.delete(pattern);
  }
  expect(await followed.stop('SIGINT')).toEqual({ code: 130, signal: null });
  // With `| head -1` it ends with the next change.
  const pipeline = { isOver: false };
  const first = runProgram('sh', ['-c', `"$0" release get gd/log -w | head -1`, launcher], {
    env: { KUBECONFIG: server.kubeconfig },
  }).finally(() => {
    pipeline.isOver = true;
  });
  for (let tag = 6; !pipeline.isOver; tag += 1) await setImage('log', `python:3.${tag}`);
  expect((await first).out).toMatch(/gd\/log: /);
});

test('status: the exit codes of a release', async () => {
  await begin(
    'state',
    steps({ partition: 2 }, { pause: { duration: 1 } }, { hook: { templateName: 'age' } }),
  );
  expect(await release('status', 'gd/state')).toMatchObject({
    code: 0,
    out: expect.stringContaining('gd/state: Complete') as string,
  });
  await setImage('state', 'python:3.5');
  // Through a pause with an end, up to the failed hook, which waits for a user.
  const waiting = await release('status', 'gd/state', '--watch');
  expect(waiting.code).toBe(4);
  expect(waiting.out.trimEnd().split('\n').at(-1)).toContain('Paused, step 3/3');
  expect((await release('status', 'gd/state')).code).toBe(4);
  const shown = await release('get', 'gd/state');
  expect(shown.out).toContain('✖ 3 hook age (Failed)');
  expect(shown.out).toContain('webtest: 45, needs asInt(result) < 30, 1 of 1 call (1 failed, 0 tolerated)');
  await resume('state');
  const done = await release('status', 'state', '--timeout', '2m', '-o', 'json');
  expect(done.code).toBe(0);
  const last = JSON.parse(done.out.trimEnd().split('\n').at(-1) ?? '') as JsonObject;
  expect(last).toMatchObject({ phase: 'Complete', verdict: 'complete', step: { current: 3, count: 3 } });
  expect((await release('get', 'gd/state')).out).toContain('↷ 3 hook age (skipped)');
});

test('status: aborted, timed out, not there, ambiguous, bad input', async () => {
  await begin('harm', steps({ partition: 2 }, { hook: { templateName: 'age', onFailure: 'Abort' } }));
  await setImage('harm', 'python:3.5');
  const aborted = await release('status', 'gd/harm', '--watch');
  expect(aborted.code).toBe(1);
  expect(aborted.out).toContain('Aborted');
  await canary.apply(gameWorkload('GameDeployment', 'slow', { replicas: 1, minReadySeconds: 300 }));
  const late = await release('status', 'gd/slow', '--timeout', '1s');
  expect(late).toMatchObject({ code: 124, error: 'boathook: gd/slow is not complete after 1s\n' });
  expect((await release('status', 'gd/slow')).code).toBe(124);
  expect(await release('status', 'gd/hram')).toMatchObject({
    code: 1,
    error: 'boathook: there is no GameDeployment hram in namespace default; did you mean harm?\n',
  });
  await canary.apply(gameWorkload('GameStatefulSet', 'harm', { replicas: 0, serviceName: 'harm' }));
  expect(await release('get', 'harm')).toMatchObject({
    code: 2,
    error: 'boathook: "harm" names more than one workload: write gd/harm or gsts/harm\n',
  });
  expect((await release('status', 'gd/harm', '--timeout', 'soon')).code).toBe(2);
  expect((await release('list', '-l', 'a in (')).code).toBe(2);
  expect((await release('list', '-o', 'xml')).code).toBe(2);
});

test('history and diff of revisions', async () => {
  await begin('past', steps({ partition: 2 }));
  await setImage('past', 'python:3.5');
  expect((await release('status', 'gd/past', '--watch')).code).toBe(0);
  const history = await release('history', 'gd/past');
  expect(history.out).toMatch(/^2 +Complete +\d+s +\d+s +python:3\.5 +kubectl/m);
  expect(history.out).toMatch(/^1 +\S+ +\d+s +\S+ +python:latest/m);
  const diff = await release('diff', 'gd/past', '1', '2');
  expect(diff).toMatchObject({ code: 0, error: '' });
  expect(diff.out).toContain('-  - image: python:latest\n+  - image: python:3.5\n');
  const json = await release('diff', 'gd/past', '1', '-o', 'json');
  expect(JSON.parse(json.out)).toMatchObject({
    from: { revision: 1 },
    to: { revision: 2 },
    changes: [{ path: 'spec.containers[name=python].image', from: 'python:latest', to: 'python:3.5' }],
  });
  expect(await release('diff', 'gd/past')).toMatchObject({
    code: 0,
    out: '',
    error: expect.stringContaining('are equal') as string,
  });
  expect(await release('diff', 'gd/past', '9')).toMatchObject({
    code: 1,
    error: expect.stringContaining('has no revision 9: it has 1, 2') as string,
  });
  expect((await release('history', 'gd/past', '-o', 'name')).out).toMatch(
    /^controllerrevision\.apps\/past-\w+\ncontrollerrevision\.apps\/past-\w+\n$/,
  );
});

test('list in every format', async () => {
  await begin('form', steps({ pause: {} }));
  expect((await release('list', '-l', 'app=nothing')).error).toBe('No releases in namespace default.\n');
  expect((await release('list', '-A', '-o', 'name')).out).toContain('gamedeployment.tkex.tencent.com/form\n');
  const { items } = JSON.parse((await release('list', '-A', '-o', 'json')).out) as { items: JsonObject[] };
  expect(items.find(({ name }) => name === 'form')).toMatchObject({
    phase: 'Complete',
    replicas: { desired: 3, ready: 3 },
  });
  expect((await release('list', '-o', 'yaml')).out).toMatch(/^items:\n- /);
  const first = await runProgram('sh', ['-c', `"$0" release list -A | head -1`, launcher], {
    env: { KUBECONFIG: server.kubeconfig },
  });
  expect(first).toMatchObject({ error: '', out: expect.stringMatching(/^NAMESPACE +NAME +PHASE/) as string });
});

test('no rights, no kinds and no cluster', async () => {
  const nowhere = await release('list', '--kubeconfig', '/nowhere');
  expect(nowhere.code).toBe(2);
  await using bare = await startBoathook({ flags: ['--authorization', 'rbac'] });
  const run = (...args: readonly string[]): Promise<Ended> =>
    runProgram(launcher, ['release', ...args], { env: { KUBECONFIG: bare.kubeconfig } });
  const forbidden = await run('list', '--as', 'bob');
  expect(forbidden).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^boathook: gamedeployments cannot be listed: .*"bob" cannot list/,
    ) as string,
  });
  expect((await run('get', 'gd/shop', '--as', 'bob')).code).toBe(1);
  const [kubectl] = (await findKubectls()).slice(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl');
  await openTerminal(kubectl, bare, 'default').run([
    'delete',
    'crd',
    'gamedeployments.tkex.tencent.com',
    'gamestatefulsets.tkex.tencent.com',
  ]);
  expect(await run('list')).toMatchObject({
    code: 1,
    error: expect.stringContaining(
      'has no CustomResourceDefinition gamedeployments.tkex.tencent.com',
    ) as string,
  });
  await bare.stop();
  expect(await run('list')).toMatchObject({
    code: 5,
    error: expect.stringContaining('cannot be reached') as string,
  });
});

test('a watch that breaks resumes by itself', async () => {
  await using first = await startBoathook({ flags: wholeCluster });
  const flags = [...wholeCluster, '--port', String(first.port)];
  const [kubectl] = (await findKubectls()).slice(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl');
  const person = canaryTerminal(openTerminal(kubectl, first, 'default'));
  await person.apply(gameWorkload('GameDeployment', 'shop', steps({ partition: 2 }, { pause: {} })));
  await person.untilStatus('gamedeployment', 'shop', { phase: 'Complete', updatedReadyReplicas: 3 });
  const env = { KUBECONFIG: first.kubeconfig };
  await using status = followProgram(launcher, ['release', 'get', 'gd/shop', '-w'], { env });
  await using list = followProgram(launcher, ['release', 'list', '-w'], { env });
  await status.lineLike(/gd\/shop: Complete/);
  await list.lineLike(/gd\/shop: Complete/);
  await first.stop('SIGKILL');
  await using _second = await startBoathook({ dataDir: first.dataDir, flags });
  await person.replace('gamedeployment', 'shop', imagePath, 'python:3.5');
  await status.lineLike(/gd\/shop: Paused/);
  await list.lineLike(/gd\/shop: Paused/);
});
