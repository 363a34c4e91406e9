import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { lookAtSources, readSource, sha256 } from './sources.ts';

test('the facts of the file system: files, folders, links, and what is refused', async () => {
  using folder = tempDir();
  const at = (name: string): string => join(folder.path, name);
  writeFileSync(at('a.sh'), '#!/bin/sh\n', { mode: 0o750 });
  symlinkSync('a.sh', at('link'));
  symlinkSync('gone', at('dead'));
  mkdirSync(at('sub/inner'), { recursive: true });
  writeFileSync(at('sub/b'), '');
  writeFileSync(at('sub/inner/c'), 'c');
  mkdirSync(at('mounted/..2026'), { recursive: true });
  writeFileSync(at('mounted/..2026/key'), 'k');
  symlinkSync('..2026', at('mounted/..data'));
  symlinkSync('..data/key', at('mounted/key'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
  const names = ['a.sh', 'link', 'dead', 'sub', 'mounted', 'pipe', 'none'];
  const facts = await lookAtSources([...names.map(at), '/dev/null'], new Set());
  const of = (name: string) => facts.get(at(name));
  const digest = sha256('#!/bin/sh\n');
  expect(of('a.sh')).toEqual({ type: 'file', digest, size: 10, mode: 0o750, interpreter: true });
  expect(of('link')).toMatchObject({ type: 'file', digest, linkTo: 'a.sh' });
  expect(of('dead')).toEqual({ type: 'missing' });
  expect(of('none')).toEqual({ type: 'missing' });
  expect(of('pipe')).toEqual({ type: 'refused', what: 'a pipe' });
  expect(facts.get('/dev/null')).toEqual({ type: 'refused', what: 'a device' });
  expect(of('sub')).toMatchObject({
    children: [
      { name: 'b', fact: { type: 'file', size: 0, interpreter: false } },
      { name: 'inner', fact: { type: 'directory', children: [] } },
    ],
  });
  expect(of('mounted')).toMatchObject({ children: [{ name: 'key', fact: { type: 'file' } }] });
  const deep = await lookAtSources([at('sub')], new Set([at('sub')]));
  expect(deep.get(at('sub'))).toMatchObject({
    children: [{ name: 'b' }, { name: 'inner', fact: { children: [{ name: 'c' }] } }],
  });
  expect((await readSource(at('a.sh'))).digest).toBe(digest);
  await expect(readSource(at('none'))).rejects.toThrow();
});

test('a script in an archive is looked at and read like a file', async () => {
  using folder = tempDir();
  mkdirSync(join(folder.path, 'file'));
  writeFileSync(join(folder.path, 'file', 'x.sh'), '#!/bin/sh\n', { mode: 0o755 });
  execFileSync('tar', ['-czf', 'p.tar.gz', 'file'], { cwd: folder.path });
  const path = `${folder.path}/p.tar.gz!/file/x.sh`;
  const facts = await lookAtSources([path, `${folder.path}/no.tar.gz!/file/x.sh`], new Set());
  expect(facts.get(path)).toMatchObject({ type: 'file', interpreter: true, mode: 0o755 });
  expect(facts.get(`${folder.path}/no.tar.gz!/file/x.sh`)).toEqual({ type: 'missing' });
  expect((await readSource(path)).digest).toBe(sha256('#!/bin/sh\n'));
});
