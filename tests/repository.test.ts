import { expect, test } from 'vitest';
import { foreignAddresses, idleExceptions } from './support/dialled-addresses.ts';
import { machineTraces, resolvedAddresses } from './support/portability.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

/** A bar stands for nothing: written plainly, these texts would be found in this very file. */
const plain = (text: string): string => text.replaceAll('|', '');

test('no file is tied to one machine or one registry', () => {
  expect(projectFiles().flatMap((path) => machineTraces(path, readProjectFile(path)))).toEqual([]);
});

test('guides, examples and tests dial nobody but this machine', () => {
  const files = projectFiles();
  expect(files.flatMap((path) => foreignAddresses(path, readProjectFile(path)))).toEqual([]);
  expect(idleExceptions(files)).toEqual([]);
});

test.for([
  ['docs/guide/machines.md', 'boathook cluster join 192.16|8.0.7', 1],
  ['examples/a.yaml', 'ip: 1.2.3|.4', 1],
  ['tests/system/a.test.ts', '`10.0|.0.${last}`', 1],
  ['tests/support/a.ts', '`10|.${200 + id}.1.2`', 1],
  ['src/edge/a.test.ts', "connect('8.8.8|.8', 53)", 1],
  ['README.md', 'http://10.1|.2.3:8080/', 1],
  ['README.md', '127.0.0.1:6443, 192.0.2.7 and 0.0.0.0', 0],
  ['examples/a.yaml', 'podcidr: 10.24|4.0.0/16', 0],
  ['docs/guide/a.md', 'version 1.14.10, kubernetes 1.2.3', 0],
  ['src/decide/a.test.ts', 'ip: 10.0|.0.1', 0],
] as const)('the guard of addresses bites: %s: %s', ([path, text, count]) => {
  expect(foreignAddresses(path, plain(text))).toHaveLength(count);
});

test('the lock file names no host', () => {
  expect(resolvedAddresses(readProjectFile('package-lock.json'))).toEqual([]);
});

test.for([
  ['"https://registry.npm|js.org/yaml"', 1],
  ['regis|try=https://example.com/', 1],
  ['see /wo|rk/plan', 1],
  ['cd /ro|ot/project', 1],
  ['"/ho|me/someone"', 1],
  ['read ../sha|red/design', 1],
  ['image: registry.k8s.io/pause:3.10', 0],
  ['https://example.com/work/plan', 0],
  ['$HOME/work/plan', 0],
  ['{"registry": "x"}', 0],
] as const)('the guard bites: %s', ([text, count]) => {
  expect(machineTraces('a.ts', plain(text))).toHaveLength(count);
});

test('the lock guard bites', () => {
  const lock = {
    packages: { 'node_modules/a': { resolved: 'https://host/a.tgz' }, 'node_modules/b': { version: '1' } },
  };
  expect(resolvedAddresses(JSON.stringify(lock))).toEqual(['node_modules/a']);
});
