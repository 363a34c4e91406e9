import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './support/project-files.ts';

/** A project of its own with the real launcher and a command that only tells how it was called. */
let project = '';

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'boathook launcher '));
  for (const folder of ['scripts', 'src/cli', 'node_modules/.bin', 'old'])
    mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['boathook', 'scripts/find-node.sh', 'scripts/with-node.sh']) {
    copyFileSync(join(root, file), join(project, file));
  }
  const tell =
    'const { argv, env } = process;\nconsole.log(JSON.stringify([argv.slice(2), env.NODE_COMPILE_CACHE]));\n';
  writeFileSync(join(project, 'src/cli/main.ts'), tell);
  script('old/node', 'echo v22.11.0');
});

afterEach(() => {
  rmSync(project, { recursive: true, force: true });
});

function script(path: string, body: string): void {
  writeFileSync(join(project, path), `#!/bin/sh\n${body}\n`);
  chmodSync(join(project, path), 0o755);
}

const bundle = (): void => symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'));

function launch(
  program: string,
  options: { readonly args?: readonly string[]; readonly path?: string; readonly cwd?: string } = {},
) {
  const { NODE_COMPILE_CACHE: _mine, ...rest } = process.env;
  const PATH = `${options.path ?? join(project, 'old')}:/usr/bin:/bin`;
  const ran = spawnSync(program, options.args ?? [], {
    cwd: options.cwd ?? '/',
    env: { ...rest, PATH },
    encoding: 'utf8',
  });
  return { code: ran.status, out: ran.stdout.trim(), error: ran.stderr.trim() };
}

const told = (...args: readonly string[]): string =>
  JSON.stringify([
    args,
    join(
      execFileSync('pwd', ['-P'], { cwd: project, encoding: 'utf8' }).trim(),
      'node_modules/.cache/node-compile',
    ),
  ]);

test('the bundled Node is used from any directory, arguments untouched', () => {
  bundle();
  expect(launch(join(project, 'boathook'), { args: ['up', '--x', 'two words', ''] })).toEqual({
    code: 0,
    out: told('up', '--x', 'two words', ''),
    error: '',
  });
  expect(launch('./boathook', { cwd: project, args: ['again'] }).out).toBe(told('again'));
});

test('a chain of relative and absolute links leads home', () => {
  bundle();
  mkdirSync(join(project, 'bin'));
  symlinkSync('../boathook', join(project, 'bin/first'));
  symlinkSync(join(project, 'bin/first'), join(project, 'old/second'));
  expect(launch('second', { args: ['a'] }).out).toBe(told('a'));
});

test('kubectl finds a plugin and its completion by the names of links', () => {
  bundle();
  const tell = 'const { argv, env } = process;\nconsole.log(env.BOATHOOK_CALLED_AS, ...argv.slice(2));\n';
  writeFileSync(join(project, 'src/cli/main.ts'), tell);
  for (const name of ['kubectl-boathook', 'kubectl_complete-boathook'])
    symlinkSync(join(project, 'boathook'), join(project, 'old', name));
  expect(launch('kubectl-boathook', { args: ['a', '-n', 'b'] }).out).toBe('kubectl boathook a -n b');
  expect(launch('kubectl_complete-boathook', { args: ['a', '-'] }).out).toBe('undefined __complete -- a -');
  expect(launch(join(project, 'boathook'), { args: ['a'] }).out).toBe('undefined a');
});

test('a bundled Node that does not run gives way to a new enough one on the path', () => {
  script('node_modules/.bin/node', 'exit 126');
  expect(launch(join(project, 'boathook'), { path: dirname(process.execPath), args: ['a'] }).out).toBe(
    told('a'),
  );
});

test.for(['boathook', 'scripts/with-node.sh'])(
  'without a new enough Node %s says in one sentence what to install',
  (program) => {
    writeFileSync(join(project, 'package-lock.json'), '{}');
    const { code, out, error } = launch('/bin/sh', { args: [join(project, program), 'a'] });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(/^boathook: needs Node 24 or newer, [^\n]+ is v22\.11\.0;[^\n]+npm ci[^\n]+\.$/);
  },
);

test('an installed package without a new enough Node says how to get one, not to work in node_modules', () => {
  const { code, error } = launch(join(project, 'boathook'), { args: ['a'] });
  expect(code).toBe(2);
  expect(error).toBe(
    'boathook: needs Node 24 or newer, and the node on the PATH is v22.11.0; ' +
      "install it from https://nodejs.org/en/download or with 'nvm install 24', and put it first on the PATH.",
  );
});

test('the bundled Node is started once to see whether it runs, and not again', () => {
  script('node_modules/.bin/node', `echo "$@" >>'${project}/calls'; exec '${process.execPath}' "$@"`);
  launch(join(project, 'boathook'));
  launch(join(project, 'boathook'));
  const main = `${execFileSync('pwd', ['-P'], { cwd: project, encoding: 'utf8' }).trim()}/src/cli/main.ts`;
  expect(
    execFileSync('cat', [join(project, 'calls')], { encoding: 'utf8' })
      .trim()
      .split('\n'),
  ).toEqual(['--version', ...[1, 2].map(() => `--max-semi-space-size=8 ${main}`)]);
});

test('scripts run from the root of the project', () => {
  bundle();
  writeFileSync(join(project, 'scripts/where.ts'), 'console.log(process.cwd(), process.argv[2]);\n');
  const { out } = launch('/bin/sh', {
    args: [join(project, 'scripts/with-node.sh'), 'scripts/where.ts', 'x'],
  });
  expect(out).toBe(`${execFileSync('pwd', ['-P'], { cwd: project, encoding: 'utf8' }).trim()} x`);
});
