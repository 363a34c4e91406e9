import { accessSync, constants, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { findKubectls } from '../support/kubectl.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

let cluster: Boathook;
let env: Record<string, string>;

const object = (kind: string, name: string, spec: object): object => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind,
  metadata: { name, namespace: 'games' },
  spec,
});
const workload = {
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
};
const metrics = [{ name: 'm', provider: { web: { url: 'http://127.0.0.1:1', jsonPath: '{.a}' } } }];

beforeAll(async () => {
  cluster = await startBoathook({ flags: ['--controllers', 'none'] });
  env = {
    HOME: cluster.home,
    KUBECONFIG: cluster.kubeconfig,
    PATH: `${root}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'games' } },
    object('GameDeployment', 'shop', workload),
    object('GameDeployment', 'shelf', workload),
    object('GameStatefulSet', 'db', { ...workload, serviceName: 'db' }),
    object('HookTemplate', 'error-rate', { metrics }),
    object('HookRun', 'error-rate-1', { metrics }),
  ];
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const made = await runProgram('kubectl', ['apply', '-f', '-'], { stdin, env });
  expect(made.code, made.error).toBe(0);
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** A machine that is busy may never have them in time, so the tries take long. */
const patient = { timeout: 300_000 };

const complete = (...words: readonly string[]): Promise<Ended> =>
  runProgram(join(root, 'boathook'), ['__complete', '--', ...words], { env });

test.for([
  [
    ['release', 'get', '-n', 'games', ''],
    ['gd/shelf', 'gd/shop', 'gsts/db'],
  ],
  [
    ['release', '-n', 'games', 'get', 'gd/sh'],
    ['gd/shelf', 'gd/shop'],
  ],
  [['release', 'get', '-n', 'games', 'sho'], ['shop']],
  [['release', 'set', 'image', '-n', 'games', 'gamedeployment/sho'], ['gamedeployment/shop']],
  [['release', 'get', ''], []],
  [['hook', 'run', '--namespace=games', ''], ['error-rate']],
  [['hook', 'get', '-n', 'games', ''], ['error-rate-1']],
  [['release', 'list', '--namespace=ga'], ['--namespace=games']],
  [['release', 'list', '--context', ''], ['boathook']],
  [['hook', 'list', '--kubeconfig', '/nowhere', '-n', ''], []],
  [['hook', 'list', '--context', 'nowhere', '-n', ''], []],
] as const)('%s', async ([words, names]) => {
  const expected = [...names, ':4', ''].join('\n');
  // A machine that is busy has no names in time; the next try may.
  await expect.poll(() => complete(...words), patient).toMatchObject({ code: 0, error: '', out: expected });
});

test('a server that does not answer gives no names, soon and without an error', async () => {
  await using mute = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port } = mute.address() as { port: number };
  const kubeconfig = join(cluster.home, 'mute');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name: 'a', context: { cluster: 'a' } }],
    }),
  );
  const ended = await complete('hook', 'run', '--kubeconfig', kubeconfig, '');
  expect(ended).toMatchObject({ code: 0, error: '', out: ':4\n' });
});

/** Types keys into an interactive bash on a terminal, and returns all that the terminal showed. */
async function typed(...keys: readonly string[]): Promise<string> {
  const bash = ['script', '-qec', 'bash --norc --noprofile -i', '/dev/null'];
  const [file = '', ...args] = bash;
  const stdin = ['source <(boathook completion bash)', ...keys, 'exit', ''].join('\r');
  const { out } = await runProgram(file, args, { env: { ...env, PS1: '$ ', TERM: 'dumb' }, stdin });
  return out;
}

/** Ctrl-A and echo: the line is printed instead of run, as it is after the completion. */
const shown = '\u0001echo "<"\u0005">"';

test.for([
  ['boathook rel\t', 'boathook release '],
  ['boathook release get -n games gd/sho\t', 'boathook release get -n games gd/shop '],
  ['boathook release get --namespace=gam\t', 'boathook release get --namespace=games '],
  ['boathook hook run -n games e\t', 'boathook hook run -n games error-rate '],
  ['boathook hook get -n "games" e\t', 'boathook hook get -n games error-rate-1 '],
  [`boathook release lint -f ${root}/package.j\t`, `boathook release lint -f ${root}/package.json `],
])('bash completes %s', async ([keys = '', line = '']) => {
  await expect.poll(() => typed(`${keys}${shown}`), patient).toContain(`<${line}>`);
});

const installed = (shell: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, shell), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

test.for([
  ['bash', /^complete -F _boathook boathook$/m],
  ['zsh', /^#compdef boathook\ncompdef _boathook boathook\n/],
  ['fish', /^complete --command boathook --no-files --arguments '\(__boathook_complete\)'$/m],
] as const)('the script of %s', async ([shell, registers]) => {
  const { code, out } = await runBoathook(['completion', shell]);
  expect(code).toBe(0);
  expect(out).toMatch(registers);
  expect(out).toMatch(/__complete -- .*2>\/dev\/null <\/dev\/null/);
  if (!installed(shell)) return;
  const file = join(cluster.home, `boathook.${shell}`);
  writeFileSync(file, out);
  expect(await runProgram(shell, ['-n', file])).toMatchObject({ code: 0, error: '' });
});

test('another shell is refused', async () => {
  expect(await runBoathook(['completion', 'csh'])).toMatchObject({
    code: 2,
    error: 'boathook: there is no completion for "csh": use bash, zsh or fish\n',
  });
});

test('kubectl completes the words of its plugin', async () => {
  const kubectls = (await findKubectls()).filter(({ minor }) => minor >= 26);
  expect(kubectls).not.toEqual([]);
  const words = ['boathook', 'release', 'get', '-n', 'games', 'gd/'];
  for (const { file } of kubectls) {
    const completed = async (): Promise<string> =>
      (await runProgram(file, ['__complete', ...words], { env })).out;
    await expect.poll(completed, patient).toBe('gd/shelf\ngd/shop\n:4\n');
  }
});
