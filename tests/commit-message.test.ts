import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { root } from './support/project-files.ts';

function check(message: string): { readonly code: number | null; readonly error: string } {
  using folder = tempDir();
  const file = join(folder.path, 'COMMIT_EDITMSG');
  writeFileSync(file, message);
  const { status, stderr } = spawnSync('sh', [join(root, 'scripts/commit-message.sh'), file], {
    encoding: 'utf8',
  });
  return { code: status, error: stderr };
}

const subject = 'fix(cli/cluster): name the missing definitions';

test.for([
  subject,
  `${subject}\n\nThe server answers 404 for both.\n`,
  `${subject}\n# Please enter the commit message\n`,
  'docs: say how to install it',
  `feat(schema): ${'é'.repeat(58)}`,
  "Merge branch 'main'",
  'Revert "fix(cli): a very long subject of an earlier commit that was written before there was a check"',
])('accepted: %j', (message) => {
  expect(check(message)).toEqual({ code: 0, error: '' });
});

test.for([
  [`feat(schema): ${'x'.repeat(59)}`, '73 characters; 72 are the most'],
  ['mend the launcher', "not 'type(scope): what changes'"],
  ['wip(cli): something', "not 'type(scope): what changes'"],
  ['fix(cli): end with a stop.', 'without a full stop'],
  ['fix(CLI): shout', "not 'type(scope): what changes'"],
  ['', "not 'type(scope): what changes'"],
  [`${subject}\nand more`, 'the second line must be empty'],
] as const)('refused: %j', ([message, says]) => {
  const { code, error } = check(message);
  expect(code).toBe(1);
  expect(error).toContain(says);
});

test('the hook of git runs it, and CONTRIBUTING names the setting', () => {
  expect(readFileSync(join(root, '.githooks/commit-msg'), 'utf8')).toContain('scripts/commit-message.sh');
  expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toContain(
    'git config core.hooksPath .githooks',
  );
});
