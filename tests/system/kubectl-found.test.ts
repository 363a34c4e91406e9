import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { findKubectls } from '../support/kubectl.ts';

function fakeKubectl(folder: string, name: string, minor: string): string {
  const file = join(folder, name);
  const version = JSON.stringify({ clientVersion: { minor, gitVersion: `v1.${minor}.0` } });
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${version}'\n`);
  chmodSync(file, 0o755);
  return file;
}

test('kubectl is found on the path, beside what the path leads to, and where it is named', async () => {
  using folder = tempDir();
  const [home, path, apart] = ['sdk', 'bin', 'apart'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const plain = fakeKubectl(home, 'kubectl', '32+');
  const siblings = ['32', '9', '30'].map((minor) => fakeKubectl(home, `kubectl.1.${minor}`, minor));
  fakeKubectl(home, 'kubectl-plugin', '99');
  const old = fakeKubectl(apart, 'kubectl', '20');
  mkdirSync(path);
  symlinkSync(plain, join(path, 'kubectl'));
  const found = await findKubectls({ PATH: `${path}:/nowhere`, BOATHOOK_KUBECTLS: old });
  expect(found.map(({ file, minor }) => [minor, file])).toEqual([
    [9, siblings[1]],
    [20, old],
    [30, siblings[2]],
    [32, siblings[0]],
  ]);
});

test('a kubectl without a version is an error, not skipped', async () => {
  using folder = tempDir();
  fakeKubectl(folder.path, 'kubectl', '30');
  writeFileSync(join(folder.path, 'kubectl.1.31'), '#!/bin/sh\necho broken >&2\nexit 1\n');
  chmodSync(join(folder.path, 'kubectl.1.31'), 0o755);
  await expect(findKubectls({ PATH: folder.path })).rejects.toThrow(/kubectl\.1\.31 does not tell.*broken/);
});

test('this machine has a kubectl', async () => {
  expect(await findKubectls()).not.toEqual([]);
});
