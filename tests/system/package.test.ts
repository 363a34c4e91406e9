import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { toolEnvironment } from '../../scripts/run-tool.ts';
import { followProgram, runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

/** A project of somebody else, with the package in its node_modules as npm would put it there. */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const home = tempDir();
const project = home.path;
const env = { PATH: toolEnvironment()['PATH'] ?? '' };
const installed = join(project, 'node_modules', 'boathook');

beforeAll(async () => {
  await run('sh', [join(root, 'scripts/with-node.sh'), 'scripts/package.ts', project]);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', `boathook-${version}.tgz`, '-C', installed, '--strip-components=1']);
  const described = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Described;
  for (const name of [...Object.keys(described.dependencies), '@types/node', 'undici-types'])
    link(join('node_modules', name));
});
afterAll(() => home[Symbol.dispose]());

type Described = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
};

function link(path: string): void {
  mkdirSync(join(project, path, '..'), { recursive: true });
  symlinkSync(join(root, path), join(project, path));
}

async function run(file: string, args: readonly string[]): Promise<Ended> {
  const ended = await runProgram(file, args, { cwd: project, env });
  if (ended.code !== 0) throw new Error(`${file} ${args.join(' ')}: ${ended.out}${ended.error}`);
  return ended;
}

const hook = `import { defineReconcileHook } from 'boathook/sdk';
const hook = defineReconcileHook({
  preReconcile: ({ object }) => ({ envVars: [{ name: 'GREETING', value: \`hello \${object.name}\` }] }),
});
const { port } = await hook.listen({ port: 0, host: '127.0.0.1' });
console.log(port);
`;

test('the installed command starts simulated machines, and serves a page that is already bundled', async () => {
  const up = ['up', '--ephemeral', '--data-dir', join(project, 'up'), '--port', '0', '--dashboard-port', '0'];
  await using server = followProgram(join(installed, 'boathook'), [...up, '--machines', '1'], { env });
  await server.lineLike(/^simulated machines at /);
  const url = /http:[^#]+/.exec(await server.lineLike(/^dashboard at /))?.[0] ?? '';
  const page = await (await fetch(url)).text();
  const script = /src="\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
  expect((await fetch(url + script)).status).toBe(200);
  expect(existsSync(join(installed, 'node_modules'))).toBe(false);
  expect(readFileSync(join(installed, 'dist/web/built-page/index.html'), 'utf8')).toBe(page);
});

test('a hook service of another project imports the kit and answers', async () => {
  writeFileSync(join(project, 'hook.mjs'), hook);
  await using service = followProgram('node', ['hook.mjs'], { cwd: project, env });
  const port = await service.line();
  const object = {
    apiVersion: 'extensions.triggermesh.io/v1',
    kind: 'Kuard',
    namespace: 'default',
    name: 'mine',
  };
  const body = JSON.stringify({ object, phase: 'pre-reconcile', capabilities: ['pre-reconcile'] });
  const answer = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(await answer.json()).toMatchObject({ envVars: [{ name: 'GREETING', value: 'hello mine' }] });
});

test('its compiler knows what a hook is asked and may answer', async () => {
  const options = { module: 'nodenext', strict: true, noEmit: true, types: ['node'], target: 'es2024' };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['hook.mts'] }),
  );
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'hook.mts'), hook);
  await run('tsc', ['-p', '.']);
  writeFileSync(join(project, 'hook.mts'), hook.replace('object.name', 'object.nmae'));
  await expect(run('tsc', ['-p', '.'])).rejects.toThrow(/nmae/);
});

test('the command starts from there, and knows its own files', async () => {
  const boathook = join(installed, 'boathook');
  expect((await run(boathook, ['--version'])).out).toBe(`${version}\n`);
  expect((await run(boathook, ['completion', 'bash'])).out).toContain('complete -F _boathook boathook');
  await using up = followProgram(boathook, ['up', '--port', '0', '--ephemeral', '--data-dir', 'data'], {
    cwd: project,
    env,
  });
  await up.lineLike(/^ready in /);
});

test('kubectl finds it as a plugin, and its completion', async () => {
  const described = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Described;
  // As npm links the programs of a package.
  const bin = join(project, 'bin');
  mkdirSync(bin);
  for (const [name, path] of Object.entries(described.bin))
    symlinkSync(join(installed, path), join(bin, name));
  const plugged = { ...env, PATH: `${bin}:${env.PATH}`, HOME: project };
  const kubectl = (...args: readonly string[]) => runProgram('kubectl', args, { cwd: project, env: plugged });
  expect((await kubectl('boathook', 'version', '--client')).out).toContain(`boathook   ${version}\n`);
  expect((await kubectl('boathook', 'release', '--help')).out).toContain('Usage: kubectl boathook release ');
  expect((await kubectl('__complete', 'boathook', 'release', 'prom')).out).toMatch(/^promote\t.*\n:4\n$/);
});

/** Imports every script of a folder, and prints those that cannot be imported. */
const importAll = `
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
const [folder] = process.argv.slice(2);
let count = 0;
for (const path of globSync('**/*.js', { cwd: folder })) {
  // The program itself: importing it would run it.
  if (path === 'cli/main.js') continue;
  // The page runs in a browser only.
  if (path.startsWith('web/built-page/')) continue;
  count += 1;
  await import(pathToFileURL(join(folder, path)).href).catch((error) => console.log(path, error.message));
}
console.log('imported', count);
`;

test('every script of the package can be imported, and nothing of the tests is among them', async () => {
  const files = globSync('**/*', { cwd: installed });
  expect(files.filter((path) => /\.test\.|(^|\/)testing\//.test(path))).toEqual([]);
  writeFileSync(join(project, 'import-all.mjs'), importAll);
  const { out } = await run('node', ['import-all.mjs', join(installed, 'dist')]);
  expect(out).toMatch(/^imported \d{3,}\n$/);
});
