import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook, type Boathook } from '../support/boathook.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { notingLoaded, readLoaded, type LoadedFiles } from '../support/loaded-files.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const launcher = join(root, 'boathook');
const below = (folder: string) => expect.stringMatching(new RegExp(`^src/${folder}/`));

test('boathook --help loads the descriptions of commands and nothing else', async () => {
  using folder = tempDir();
  const file = join(folder.path, 'loaded.json');
  expect(await runProgram(launcher, ['--help'], { env: notingLoaded(file) })).toMatchObject({ code: 0 });
  const { lines, packages } = readLoaded(file);
  expect(packages).toEqual(['commander']);
  expect(lines).toBeLessThan(1900);
});

/** What `boathook controller` loads until it works, and until something has happened. */
async function loadedByController(
  server: Boathook,
  until: () => Promise<unknown> = () => Promise.resolve(),
): Promise<LoadedFiles> {
  using folder = tempDir();
  const file = join(folder.path, 'loaded.json');
  const args = ['controller', '--kubeconfig', server.kubeconfig, '--data-dir', join(folder.path, 'data')];
  await using controller = followProgram(launcher, args, { env: notingLoaded(file) });
  await controller.lineLike(/^running hookrun/);
  await until();
  expect(await controller.stop()).toMatchObject({ code: 0 });
  return readLoaded(file);
}

test('boathook controller loads the code of a feature when its first object appears', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const idle = await loadedByController(server);
  expect(idle.sources).not.toContainEqual(below('embedded'));
  expect(idle.sources).not.toContainEqual(below('[a-z]+/controller'));
  expect(idle.packages.toSorted()).toEqual(['commander', 'undici', 'yaml']);
  expect(idle.lines).toBeLessThan(16_500);

  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, server, 'default');
  await kubectl.run(['apply', '-f', '-'], { stdin: objects });
  const busy = await loadedByController(server, async () => {
    await kubectl.run(['wait', '--for=jsonpath={.status.phase}', 'hookrun/asked', '--timeout=300s']);
    await kubectl.run([
      'wait',
      '--for=jsonpath={.status.replicas}=1',
      'gamedeployment/tide',
      '--timeout=300s',
    ]);
  });
  expect(busy.sources).toContainEqual(below('hooks/controller'));
  expect(busy.sources).toContainEqual(below('releases/controller'));
  for (const folder of ['embedded', 'machines/controller', 'machines/engine', 'registrations/controller'])
    expect(busy.sources).not.toContainEqual(below(folder));
  // All controllers, loaded at once, were 62,000 lines.
  expect(busy.lines).toBeLessThan(33_500);
});

const objects = `
apiVersion: tkex.tencent.com/v1alpha1
kind: HookTemplate
metadata: { name: asked }
spec:
  metrics: [{ name: m, count: 1, provider: { web: { url: 'http://127.0.0.1:1' } } }]
---
apiVersion: tkex.tencent.com/v1alpha1
kind: HookRun
metadata: { name: asked }
spec:
  metrics: [{ name: m, count: 1, provider: { web: { url: 'http://127.0.0.1:1' } } }]
---
apiVersion: tkex.tencent.com/v1alpha1
kind: GameDeployment
metadata: { name: tide }
spec:
  replicas: 1
  selector: { matchLabels: { app: tide } }
  template:
    metadata: { labels: { app: tide } }
    spec: { containers: [{ name: main, image: tide }] }
`;
