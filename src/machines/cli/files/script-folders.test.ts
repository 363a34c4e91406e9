import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FolderFact } from '#machines/decide/model.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { lookAtFolders } from './script-folders.ts';
import { sha256 } from './sources.ts';

type Whole = Extract<FolderFact, { type: 'folder' }>;

const look = async (path: string, secret: readonly string[] = [], home = '/nobody'): Promise<FolderFact> => {
  const found = (await lookAtFolders([path], { home, secret })).get(path);
  if (found === undefined) throw new Error(`${path} is no folder`);
  return found;
};

test('regular files and sub-folders go along; hidden, foreign and secret ones stay, each with its reason', async () => {
  using folder = tempDir();
  const at = (name: string): string => join(folder.path, 'scripts', name);
  mkdirSync(at('lib/deep'), { recursive: true });
  mkdirSync(at('data'));
  mkdirSync(at('.git'));
  writeFileSync(at('run.sh'), '#!/bin/sh\n', { mode: 0o640 });
  writeFileSync(at('lib/deep/x'), 'x');
  writeFileSync(at('.hidden'), '');
  writeFileSync(at('data/journal'), 'kubeconfig');
  writeFileSync(at('deploy.yaml'), 'cluster-id: a\npassword: "x"\n');
  writeFileSync(at('other.yaml'), 'cluster-id: b\npassword: "y"\n');
  writeFileSync(at('net.yaml'), 'kind: ConfigMap\napiVersion: v1\n');
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
  symlinkSync('nowhere', at('dead'));
  symlinkSync('..', at('lib/up'));
  symlinkSync('lib/deep', at('shortcut'));
  const found = (await look(at('.').replace(/\/\.$/, ''), [at('deploy.yaml'), at('data')])) as Whole;
  expect(found.files.map(({ name }) => name)).toEqual(['lib/deep/x', 'net.yaml', 'run.sh', 'shortcut/x']);
  expect(found.files.find(({ name }) => name === 'run.sh')).toMatchObject({
    digest: sha256('#!/bin/sh\n'),
    size: 10,
    mode: 0o640,
  });
  const reasons = Object.fromEntries(found.leftOut.map(({ name, why }) => [name, why]));
  expect(reasons).toEqual({
    '.git': 'it is hidden',
    '.hidden': 'it is hidden',
    data: 'a file of the cluster itself, its records, a key or a package',
    dead: 'a broken link',
    'deploy.yaml': 'a file of the cluster itself, its records, a key or a package',
    'lib/up': 'a link to a folder above it',
    'other.yaml': 'the file of a cluster, which may hold its password',
    pipe: 'a pipe',
  });
  expect(found.links).toEqual(
    expect.arrayContaining([
      { name: 'shortcut', to: 'lib/deep' },
      { name: 'lib/up', to: '..' },
    ]),
  );
});

test('16 MiB go along, and not a byte more', async () => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'blob'), '');
  truncateSync(join(folder.path, 'blob'), 16 * 1024 * 1024);
  expect(await look(folder.path)).toMatchObject({ type: 'folder' });
  writeFileSync(join(folder.path, 'more'), '1');
  expect(await look(folder.path)).toEqual({ type: 'refused', what: 'holds more than 16 MiB' });
});

test.for([
  ['/', 'is the whole file system of this machine'],
  ['HOME', 'is a home directory'],
  ['LINK', 'is a home directory'],
] as const)('%s %s', async ([path, what]) => {
  using folder = tempDir();
  const home = join(folder.path, 'home');
  mkdirSync(home);
  symlinkSync(home, join(folder.path, 'link'));
  const real = { '/': '/', HOME: home, LINK: join(folder.path, 'link') }[path];
  expect(await look(real, [], home)).toEqual({ type: 'refused', what });
});

test('a script of an archive has what lies beside it there', async () => {
  using folder = tempDir();
  mkdirSync(join(folder.path, 'file', 'sub'), { recursive: true });
  for (const name of ['x.sh', 'sub/y', '.z']) writeFileSync(join(folder.path, 'file', name), name);
  execFileSync('tar', ['-czf', 'p.tar.gz', 'file'], { cwd: folder.path });
  const path = `${folder.path}/p.tar.gz!/file`;
  const found = (await look(path)) as Whole;
  expect(found.files.map(({ name, path: file }) => [name, file])).toEqual([
    ['sub/y', `${path}/sub/y`],
    ['x.sh', `${path}/x.sh`],
  ]);
  expect(found.leftOut).toEqual([{ name: '.z', why: 'it is hidden' }]);
});
