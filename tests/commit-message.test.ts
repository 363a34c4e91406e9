import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { root } from './support/project-files.ts';

const judge = (message: string): { readonly code: number | null; readonly error: string } => {
  using folder = tempDir();
  const file = join(folder.path, 'message');
  writeFileSync(file, message);
  const { status, stderr } = spawnSync(join(root, 'scripts/git-hooks/commit-msg'), [file], {
    encoding: 'utf8',
  });
  return { code: status, error: stderr };
};

test.for([
  ['feat(hooks): add a provider', ''],
  ['docs: define the words\n\nWhy it is so.', ''],
  [`fix(embedded/server): ${'x'.repeat(50)}`, ''],
  ["Merge branch 'main'", ''],
  ['add a provider', 'is not'],
  ['feat(hooks): add a provider.', 'is not'],
  ['wip: something', 'is not'],
  [`fix(embedded/server): ${'x'.repeat(51)}`, 'has 73 characters'],
  ['docs: define the words\nand more', 'second line'],
] as const)('a commit message is checked: %s', ([message, why]) => {
  const { code, error } = judge(message);
  expect({ code, error }).toEqual({
    code: why === '' ? 0 : 1,
    error: why === '' ? '' : expect.stringContaining(why),
  });
});
