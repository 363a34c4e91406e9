import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from './testing/temp-dir.ts';
import { isUnread } from './unread-output.ts';

test('a pipe is unread when its reader has ended', () => {
  using folder = tempDir();
  const path = join(folder.path, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  expect(isUnread(writer)).toBe(false);
  closeSync(reader);
  expect(isUnread(writer)).toBe(true);
  closeSync(writer);
});

test('a file is never unread', () => {
  using folder = tempDir();
  const file = openSync(join(folder.path, 'file'), 'w');
  expect(isUnread(file)).toBe(false);
  closeSync(file);
});
