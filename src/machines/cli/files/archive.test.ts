import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { listArchive, readArchived } from './archive.ts';
import { sha256 } from './sources.ts';

const long = `${'deep/'.repeat(30)}x.sh`;

test.for([
  ['packed', ['-czf'], 'a.tar.gz'],
  ['plain', ['-cf'], 'a.tar'],
  ['with long names as POSIX has them', ['--format=ustar', '-czf'], 'b.tar.gz'],
  ['with long names as pax has them', ['--format=pax', '-cf'], 'c.tar'],
] as const)('a script in an archive: %s', async ([, flags, name]) => {
  using folder = tempDir();
  mkdirSync(join(folder.path, 'file', 'deep/'.repeat(30)), { recursive: true });
  const text = `#!/bin/sh\n${'echo\n'.repeat(500)}`;
  for (const path of ['a.sh', long]) writeFileSync(join(folder.path, 'file', path), text);
  chmodSync(join(folder.path, 'file', 'a.sh'), 0o750);
  execFileSync('tar', [...flags, name, './file'], { cwd: folder.path });
  const archive = join(folder.path, name);
  expect(await readArchived(archive, 'file/a.sh')).toEqual(Buffer.from(text));
  expect((await readArchived(archive, `file/${long}`))?.toString()).toBe(text);
  expect(await readArchived(archive, 'file/b.sh')).toBeUndefined();
  expect(await readArchived(archive, 'file'), 'a folder is no script').toBeUndefined();
  const listed = await listArchive(archive);
  expect(listed.map(({ path }) => path).toSorted()).toEqual(['file/a.sh', `file/${long}`].toSorted());
  expect(listed.find(({ path }) => path === 'file/a.sh')).toMatchObject({
    mode: 0o750,
    size: text.length,
    digest: sha256(text),
    interpreter: true,
  });
});

test('a truncated archive is refused, not read in part', async () => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'x'), 'x'.repeat(5000));
  execFileSync('tar', ['-cf', 'a.tar', 'x'], { cwd: folder.path });
  const whole = readFileSync(join(folder.path, 'a.tar'));
  writeFileSync(join(folder.path, 'b.tar'), whole.subarray(0, 3000));
  await expect(listArchive(join(folder.path, 'b.tar'))).rejects.toThrow('ends in the middle of a file');
});
