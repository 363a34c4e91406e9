import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const launcher = join(root, 'boathook');
const single = join(root, 'examples/machines/single-files/cluster.yaml');
const deploy = ['cluster', 'deploy', '-f', single, '--installer', 'none', '--data-dir'];

/** A command that hangs in a system call does not notice SIGTERM. */
const run = (args: readonly string[], cwd: string) =>
  runProgram('timeout', ['--signal=KILL', '300', launcher, ...args], { cwd });

test.for([
  ['up', ['up', '--port', '0', '--data-dir', '/proc/x'], '/proc/x'],
  ['up with a file in the way', ['up', '--port', '0', '--data-dir', 'file/data'], 'file/data'],
  ['up where it is read-only', ['up', '--port', '0', '--data-dir', '/sys/kernel/x'], '/sys/kernel/x'],
  ['up, for its kubeconfig', ['up', '--ephemeral', '--port', '0', '--kubeconfig', '/proc/x/y'], '/proc/x'],
  ['controller', ['controller', '--data-dir', '/proc/x'], '/proc/x'],
  ['cluster deploy', [...deploy, '/proc/x'], '/proc/x'],
  ['cluster deploy with a file in the way', [...deploy, 'file'], 'file'],
] as const)('%s ends at once when its directory cannot be made', async ([, args, named]) => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'file'), '');
  const { code, error } = await run(args, folder.path);
  expect(code, error).toBe(2);
  expect(error).toMatch(/^boathook: [^\n]*director[^\n]* cannot be used: E[A-Z]+: [^\n]+\n$/);
  expect(error).toContain(named);
});

test('a backup to a place that cannot be made ends at once', async () => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'objects.db'), '');
  const { code, error } = await run(['data', 'backup', '--data-dir', '.', '--to', '/proc/x'], folder.path);
  expect(code, error).toBe(2);
  expect(error).toMatch(/^boathook: --to: the directory \/proc\/x cannot be used/);
});

test('the check of a data directory leaves nothing behind when something else is wrong', async () => {
  using folder = tempDir();
  const { code } = await run(['cluster', 'deploy', '-f', 'gone.yaml', '--data-dir', 'a/b'], folder.path);
  expect(code).toBe(2);
  expect(existsSync(join(folder.path, 'a'))).toBe(false);
});
