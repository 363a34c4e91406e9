import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { operate } from './operate.ts';
import { emptyAssignment } from './testing/empty-assignment.ts';

const never = new AbortController().signal;
const retried: JournalRecord = { type: 'retried', at: instant(0) };
const planned: JournalRecord = {
  type: 'planned',
  at: instant(0),
  id: 'one',
  cluster: 'c',
  operation: 'cluster.create',
  request: {},
};

test.for<[string, readonly JournalRecord[], readonly JournalRecord[], RegExp]>([
  ['a new operation', [], [], /\(that the operation begins\): .*ENOTDIR.*: start the operation again$/],
  ['one that is resumed', [planned], [], /ENOTDIR.*: boathook cluster resume -f \/c\.yaml --data-dir \//],
  [
    'a retry',
    [planned],
    [retried],
    /tried again\): .*ENOTDIR.*: boathook cluster retry -f \/c\.yaml --data-dir \//,
  ],
])('a folder that cannot be made ends the command: %s', async ([, records, more, says]) => {
  using folder = tempDir();
  const assignment = emptyAssignment(folder.path, records);
  writeFileSync(join(folder.path, 'operations'), 'no folder');
  mkdirSync(join(folder.path, 'copies'));
  const ended = operate(assignment, () => undefined, never, more);
  await expect(ended).rejects.toMatchObject({
    name: 'ExitError',
    message: expect.stringMatching(says) as string,
  });
  expect(existsSync(join(folder.path, 'copies')), 'copies are removed').toBe(false);
});

test('a disk that is full at the first record ends the command with the path of the journal', () => {
  using folder = tempDir();
  // The plan is smaller than the limit of a file, the first record is larger.
  const program = `
    const { operate } = await import(process.argv[1]);
    const { emptyAssignment } = await import(process.argv[2]);
    const assignment = emptyAssignment(process.argv[3], [], ['x'.repeat(600)]);
    await operate(assignment, () => undefined, new AbortController().signal, []).catch((error) =>
      console.log(error.name, error.message));`;
  const urls = ['operate.ts', 'testing/empty-assignment.ts'].map(
    (name) => new URL(name, import.meta.url).href,
  );
  const words = ['--input-type=module', '-e', program, ...urls, folder.path];
  const child = spawnSync('sh', ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, ...words], {
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  expect(child.stdout).toMatch(
    /^ExitError The journal of operation one cannot be written .*operations\/one\/journal\.jsonl: EFBIG/,
  );
});
