import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { readArchived } from './archive.ts';

const long = `${'deep/'.repeat(30)}x.sh`;

test.for([
  ['packed', ['-czf'], 'a.tar.gz'],
  ['plain', ['-cf'], 'a.tar'],
  ['with long names as POSIX has them', ['--format=ustar', '-czf'], 'b.tar.gz'],
] as const)('a script in an archive: %s', ([, flags, name]) => {
  using folder = tempDir();
  mkdirSync(join(folder.path, 'file', 'deep/'.repeat(30)), { recursive: true });
  const text = `#!/bin/sh\n${'echo\n'.repeat(500)}`;
  for (const path of ['a.sh', long]) writeFileSync(join(folder.path, 'file', path), text);
  chmodSync(join(folder.path, 'file', 'a.sh'), 0o750);
  execFileSync('tar', [...flags, name, './file'], { cwd: folder.path });
  const archive = join(folder.path, name);
  expect(readArchived(archive, 'file/a.sh')).toMatchObject({ mode: 0o750, content: Buffer.from(text) });
  expect(readArchived(archive, `file/${long}`)?.content.toString()).toBe(text);
  expect(readArchived(archive, 'file/b.sh')).toBeUndefined();
  expect(readArchived(archive, 'file'), 'a folder is no script').toBeUndefined();
});
