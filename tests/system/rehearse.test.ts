import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook } from '../support/boathook.ts';
import { startHookService } from '../support/hook-service.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { expectBadInput, expectPage } from '../support/rehearsal-pages.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const rehearse = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runProgram(join(root, 'boathook'), ['rehearse', ...args], { cwd: folder.path, env });

const canary = ['-f', join(root, 'examples/canary'), '--change', 'image=python:3.5'];
const reply = ['--hook', `test=${join(root, 'examples/hooks/reply.json')}`];

test('the canary of the examples stops at step 5 because 45 is not below 30', async () => {
  const { code, out, error } = await rehearse([...canary, ...reply]);
  expect(error).toBe('');
  expect(out).toMatch(
    /^ +2:1\d  hook test, webtest: 45 Failed \(asInt\(result\) = 45, asInt\(result\) < 30 is false\)$/m,
  );
  expect(out).toMatch(/^The release would stop at step 5\/5 after 2m1\ds: /m);
  expect(out).toMatch(/^Lowest availability: 3 of 4 pods in service/m);
  expect(out).toMatch(/the pause of step 2 was approved at 0:3\d \(--approve\)$/m);
  expect(code).toBe(1);
});

test('the same seed gives the same report in another time zone and locale; another seed another', async () => {
  const one = await rehearse([...canary, ...reply, '-o', 'json']);
  const two = await rehearse([...canary, ...reply, '-o', 'json'], {
    TZ: 'Asia/Tokyo',
    LC_ALL: 'tr_TR.UTF-8',
  });
  const three = await rehearse([...canary, ...reply, '-o', 'json', '--seed', '2']);
  expect(two.out).toBe(one.out);
  expect(three.out).not.toBe(one.out);
  expect(JSON.parse(one.out)).toMatchObject({
    rehearsals: [{ workload: 'gd/test-gamedeployment', outcome: { type: 'Stops', step: 5 }, seed: 1 }],
  });
});

test.for([
  { name: 'a release that completes', args: [], code: 0, says: /would complete after 3m4\ds/ },
  {
    name: 'nobody approves',
    args: ['--approve', 'never'],
    code: 4,
    says: /wait for approval at step 2\/5 after 3\ds/,
  },
  {
    name: 'a user approves late',
    args: ['--approve', 'after:10m'],
    code: 0,
    says: /would complete after 13m/,
  },
  { name: 'the horizon', args: ['--horizon', '30s'], code: 4, says: /would not end within 30s at step 1\/5/ },
  {
    name: 'the third call fails',
    args: ['--hook', 'test=fail-after:1'],
    code: 1,
    says: /call 2 fails, by --hook/,
  },
  { name: 'pods that crash', args: ['--pods', 'crash=100%'], code: 1, says: /CrashLoopBackOff/ },
  { name: 'slow pods', args: ['--pods', 'slow-start=2m'], code: 0, says: /step 1\/5.*takes 2m3/ },
])('$name: exit code $code', async ({ args, code, says }) => {
  const ended = await rehearse([...canary, ...args]);
  expect(ended.error).toBe('');
  expect(ended.out).toMatch(says);
  expect(ended.code).toBe(code);
});

test('many seeds give a distribution', async () => {
  const { code, out } = await rehearse([...canary, '--pods', 'crash=20%', '--runs', '6', '-o', 'json']);
  const { summaries } = JSON.parse(out) as {
    readonly summaries: readonly { readonly outcomes: readonly { readonly runs: number }[] }[];
  };
  const outcomes = summaries.flatMap((each) => each.outcomes);
  expect(outcomes.length).toBeGreaterThan(1);
  expect(outcomes.reduce((sum, { runs }) => sum + runs, 0)).toBe(6);
  expect(code).toBe(1);
});

test('nothing is called unless hooks are live', async () => {
  await using service = await startHookService({ age: 20 });
  const manifest = readFileSync(join(root, 'examples/canary/hooktemplate.yaml'), 'utf8');
  writeFileSync(join(folder.path, 'hook.yaml'), manifest.replace('http://127.0.0.1:9091', service.url));
  const files = [
    '-f',
    join(root, 'examples/canary/gamedeployment.yaml'),
    '-f',
    'hook.yaml',
    '--change',
    'image=a:2',
  ];
  const silent = await rehearse(files);
  expect(silent.out).toMatch(/HookTemplate test was assumed to pass/);
  expect(service.asked).toEqual([]);
  const live = await rehearse([...files, '--live-hooks']);
  expect(live.out).toMatch(/hook test, webtest: 20 Successful/);
  expect(service.asked).toHaveLength(2);
  expect(live.code).toBe(0);
});

test('the objects of a live cluster are read and not changed', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const env = { KUBECONFIG: server.kubeconfig };
  const kubectl = (args: readonly string[]): Promise<Ended> => runProgram('kubectl', args, { env });
  expect(await kubectl(['apply', '-f', join(root, 'examples/canary')])).toMatchObject({ code: 0 });
  const before = await kubectl(['get', 'gd,hooktemplates', '-o', 'json']);
  const { code, out, error } = await rehearse(
    ['--from-cluster', 'default', '--change', 'image=python:3.5', ...reply],
    env,
  );
  expect(error).toBe('');
  expect(out).toMatch(/would stop at step 5\/5/);
  expect(code).toBe(1);
  expect(await kubectl(['get', 'gd,hooktemplates', '-o', 'json'])).toEqual(before);
});

test('kinds that are not run here are carried along and named', async () => {
  writeFileSync(
    join(folder.path, 'widget.yaml'),
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w }\n',
  );
  const { out, code } = await rehearse([...canary, '-f', 'widget.yaml']);
  expect(out).toMatch(/^Not run here:\n {2}- Widget w$/m);
  expect(code).toBe(0);
});

test.for([
  [['--change', 'image=x'], /give manifests with -f/],
  [['--from-cluster', '', '--change', 'image=x'], /--from-cluster '' is not the name of a namespace/],
  [['-f', 'nowhere', '--change', 'image=x'], /nowhere cannot be read/],
  [canary.slice(0, 2), /give --change image=app:v2/],
  [[...canary, '--change', 'color=red'], /--change color=red is not understood/],
  [[...canary.slice(0, 2), '--change', 'image=python:latest'], /changes nothing/],
  [[...canary.slice(0, 2), '--change', 'image.pyton=x'], /has no container pyton: did you mean python\?/],
  [[...canary, '--hook', 'tset=pass'], /no workload uses a HookTemplate of this name: choose from test/],
  [[...canary, '--hook', 'test'], /is not TEMPLATE=ANSWER/],
  [[...canary, '--pods', 'crash=200%'], /--pods crash=200% is not understood/],
  [[...canary, '--approve', 'maybe'], /write auto, never or after:10m/],
  [[...canary, '--horizon', 'soon'], /--horizon soon is not a duration/],
  [[...canary, '--seed', '-1'], /--seed -1 is not a whole number/],
  [[...canary, '--runs', '0'], /--runs 0 rehearses nothing/],
  [[...canary, '--workload', 'gd/other'], /there is test-gamedeployment/],
  [
    ['-f', join(root, 'examples/canary/gamedeployment.yaml'), '--change', 'image=x'],
    /uses HookTemplate test, which is not in namespace default of the manifests: add its file with -f/,
  ],
] as const)('bad input %s', async ([args, says]) => {
  expectBadInput(await lines.run(['rehearse', ...args], folder.path), says);
});

test('the page shows the timeline, loads nothing and has no accessibility faults', async () => {
  const path = join(folder.path, 'rehearsal.html');
  expect(await rehearse([...canary, ...reply, '--html', path])).toMatchObject({ code: 1 });
  await expectPage(path, async (page) => {
    expect(await page.getByRole('img').getAttribute('aria-label')).toMatch(/3 of 4 are in service/);
    expect(await page.getByRole('row').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/step 5\/5 · hook test · does not end/)]),
    );
  });
});
