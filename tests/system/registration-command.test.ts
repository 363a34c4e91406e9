import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { defineReconcileHook, HookError } from '#sdk/sdk.ts';
import { runBoathook } from '../support/boathook.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { plainly, startReconcileHook } from '../support/reconcile-hook.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const example = (name: string): string => join(root, 'examples/reconcile', name);
let files = 0;
function written(text: string): string {
  files += 1;
  const path = join(folder.path, `${files}.yaml`);
  writeFileSync(path, text);
  return path;
}
const registration = readFileSync(example('registration.yaml'), 'utf8');
const instance = readFileSync(example('instance.yaml'), 'utf8');
/** With a timeout that a test can wait for. */
const hasty = written(registration.replace('PT10S', 'PT0.3S'));

const command = (...args: readonly string[]) => runBoathook(['registration', ...args]);
const render = (...args: readonly string[]) => command('render', '-f', example('instance.yaml'), ...args);

test.for<[string, readonly string[], number, RegExp]>([
  ['a good one', ['-f', example('registration.yaml')], 0, /1 registration: 0 errors, 1 warning/],
  [
    'a bad one',
    ['-f', written(registration.replace('version: 1', 'version: 2'))],
    1,
    /\.yaml:9: CRDRegistration kuard: error: spec\.hook\.version: .* \(write version: v1\)/,
  ],
  [
    'two of one CRD',
    ['-f', example('registration.yaml'), '-f', written(registration.replace('name: kuard', 'name: other'))],
    1,
    /CRDRegistration other: error: spec\.crd: is already registered by kuard/,
  ],
])('lint ends with the right code: %s', async ([, args, code, said]) => {
  const ended = await command('lint', ...args);
  expect(ended).toMatchObject({ code, out: expect.stringMatching(said), error: '' });
});

test.for<[string, readonly string[], RegExp]>([
  ['no file', ['lint', '-f', join(folder.path, 'nowhere.yaml')], /cannot be read/],
  ['no registration', ['lint', '-f', example('instance.yaml')], /no CRDRegistration/],
  ['no YAML', ['lint', '-f', written('a: [')], /yaml: line/],
  ['a strange format', ['lint', '-f', example('registration.yaml'), '-o', 'xml'], /-o xml is not known/],
  ['no instance', ['render', '-f', example('registration.yaml')], /no instance of kuards/],
  [
    'a bad registration',
    [
      'render',
      '-f',
      written(registration.replace('version: 1', 'version: 2')),
      '-f',
      example('instance.yaml'),
    ],
    /spec\.hook\.version/,
  ],
  [
    'two registrations',
    ['render', '-f', hasty, '-f', example('registration.yaml'), '-f', example('instance.yaml')],
    /one CRDRegistration can be rendered at a time/,
  ],
  [
    'a reply that is none',
    ['render', '-f', hasty, '-f', example('instance.yaml'), '--reply', written('{')],
    /is not JSON/,
  ],
  [
    'a hook at nowhere in particular',
    ['render', '-f', hasty, '-f', example('instance.yaml'), '--live', '--hook-url', 'here'],
    /--hook-url here is not a URL/,
  ],
  [
    'a Service that is not in the files',
    ['render', '-f', hasty, '-f', example('instance.yaml'), '--live'],
    /my-service: add it with -f/,
  ],
])('wrong input ends with 2 and prints what to do: %s', async ([, args, said]) => {
  const ended = await lines.run(['registration', ...args]);
  expect(ended).toMatchObject({ code: 2, out: '', error: expect.stringMatching(said) });
});

test('lint prints JSON for programs', async () => {
  const bad = written(registration.replace('capabilities:', 'capabilites:'));
  const ended = await command('lint', '-f', bad, '-f', example('crd.yaml'), '-o', 'json');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.out)).toMatchObject({
    errors: 1,
    registrations: [
      {
        name: 'kuard',
        file: bad,
        findings: expect.arrayContaining([
          {
            severity: 'error',
            path: 'spec.hook.capabilites',
            message: 'is not a known field',
            hint: 'did you mean capabilities?',
            line: 31,
          },
        ]),
      },
    ],
  });
});

test('render prints what kubectl takes, for several instances, from the input too', async () => {
  const two = `${registration}\n---\n${instance}\n---\n${instance.replace('my-kuard-extension', 'second')}`;
  const ended = await runProgram(
    join(root, 'boathook'),
    ['registration', 'render', '-f', '-', '-o', 'json'],
    { stdin: two, env: { KUBECONFIG: '/nowhere' } },
  );
  expect(ended.code).toBe(0);
  const { items } = JSON.parse(ended.out) as { items: { kind: string; metadata: { name: string } }[] };
  expect(items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Deployment kuard-my-kuard-extension',
    'Service kuard-my-kuard-extension',
    'Deployment kuard-second',
    'Service kuard-second',
  ]);
});

test('of two instances the good one is printed though the other is not', async () => {
  const bad = written(instance.replace('my-kuard-extension', 'bad').replace('variable1:', '"bad key":'));
  const ended = await render('-f', example('registration.yaml'), '-f', bad);
  expect(ended.code).toBe(1);
  expect(ended.out).toContain('name: kuard-my-kuard-extension');
  expect(ended.out).not.toContain('kuard-bad');
  expect(ended.error).toMatch(/default\/bad: warning: spec\.bad key would become/);
});

test('a live hook that refuses, that is broken, that hangs and that is absent', async () => {
  await using hook = await startReconcileHook();
  const live = () => render('-f', hasty, '--live', '--hook-url', hook.url);
  hook.answer = () => ({ error: { message: 'not today' } });
  expect(await live()).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/not today/) });
  hook.answer = () => plainly(500, 'out of order');
  expect(await live()).toMatchObject({ code: 1, error: expect.stringMatching(/500: out of order/) });
  hook.answer = () => plainly(200, '{"patches":[{"pod":{}}]}');
  expect(await live()).toMatchObject({ code: 1, error: expect.stringMatching(/targets are main/) });
  hook.answer = () => 'hang';
  expect(await live()).toMatchObject({ code: 5, error: expect.stringMatching(/within 300ms|0\.3s/) });
  const nobody = await render('-f', hasty, '--live', '--hook-url', 'http://127.0.0.1:1');
  expect(nobody).toMatchObject({ code: 5, error: expect.stringMatching(/refused the connection/) });
});

test('a live hook of the SDK shapes what is printed', async () => {
  const hook = defineReconcileHook({
    preReconcile: ({ object }) => ({ envVars: [{ name: 'WHO', value: object.name ?? '' }] }),
    postReconcile: () => {
      throw new HookError('only a doubt', { halt: false });
    },
  });
  await using server = await hook.listen({ port: 0, host: '127.0.0.1' });
  const ended = await render('-f', hasty, '--live', '--hook-url', `http://127.0.0.1:${server.port}`);
  expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/WHO\n\s+value: my-kuard-extension/) });
  expect(ended.error).toMatch(/post-reconcile: only a doubt \(its changes are ignored/);
});

const ofKnative = written(
  registration
    .replace('PT10S', 'PT5S')
    .replace(/formFactor:[\s\S]*?(?= {4}fromImage:)/, 'formFactor:\n      knativeService: {}\n'),
);

test.for([
  ['hook.ts', process.execPath],
  ['hook.py', 'python3'],
] as const)('the example %s shapes both form factors', async ([name, program]) => {
  await using running = followProgram(program, [example(name)], { env: { PORT: '0' } });
  const [, port] = /port (\d+)/.exec(await running.line()) ?? [];
  for (const [file, kind] of [
    [example('registration.yaml'), 'apiVersion: apps/v1\nkind: Deployment'],
    [ofKnative, 'apiVersion: serving.knative.dev/v1\nkind: Service'],
  ] as const) {
    const ended = await render('-f', file, '--live', '--hook-url', `http://127.0.0.1:${port}`);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain(kind);
    expect(ended.out).toMatch(/FROM_HOOK_VAR\n\s+value: this value is set from the hook/);
    expect(ended.out).toMatch(/limits:\n\s+cpu: 250m/);
  }
});
