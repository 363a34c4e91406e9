import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { rootedSources } from './rooted-sources.ts';

function world(): { readonly root: string; readonly outside: string; [Symbol.dispose](): void } {
  const folder = tempDir();
  const [root, outside] = [join(folder.path, 'root'), join(folder.path, 'root-beside')];
  for (const path of ['sub/deep', 'mount/..2026', 'loop/in'])
    mkdirSync(join(root, path), { recursive: true });
  mkdirSync(outside);
  for (const path of [
    join(root, 'a'),
    join(root, 'sub/deep/b'),
    join(root, 'mount/..2026/key'),
    join(outside, 'x'),
  ])
    writeFileSync(path, '#!/bin/sh\n');
  symlinkSync('..2026', join(root, 'mount/..data'));
  symlinkSync('..data/key', join(root, 'mount/key'));
  symlinkSync('../a', join(root, 'sub/link'));
  symlinkSync(join(outside, 'x'), join(root, 'leaving'));
  symlinkSync('..', join(root, 'loop/in/up'));
  return { root, outside, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test.for([
  ['a', false, 'file'],
  ['sub', false, 'directory'],
  ['sub', true, 'directory'],
  ['sub/link', false, 'file'],
  ['mount', false, 'directory'],
  ['mount/key', false, 'file'],
  ['missing', false, 'missing'],
  ['.', false, 'refused'],
  ['leaving', false, 'refused'],
  ['loop', true, 'refused'],
  ['../root-beside/x', false, 'refused'],
  ['../root-beside', false, 'refused'],
  ['/etc/passwd', false, 'refused'],
] as const)('%s (deep: %s) is %s', async ([path, isDeep, expected]) => {
  using files = world();
  const { sources } = rootedSources(files.root);
  const absolute = path.startsWith('/') ? path : join(files.root, path);
  const found = await sources([absolute], new Set(isDeep ? [absolute] : []));
  expect(found.get(absolute)?.type).toBe(expected);
});

test('without a root nothing is read', async () => {
  using files = world();
  const { sources, source } = rootedSources(undefined);
  const path = join(files.root, 'a');
  expect((await sources([path], new Set())).get(path)).toMatchObject({ type: 'refused' });
  await expect(source(path)).rejects.toThrow('--files-root');
  await expect(rootedSources(files.root).source(join(files.root, 'leaving'))).rejects.toThrow(
    'outside of --files-root',
  );
});
