import { expect, test } from 'vitest';
import { machineTraces, resolvedAddresses } from './support/portability.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

test('no file is tied to one machine or one registry', () => {
  expect(projectFiles().flatMap((path) => machineTraces(path, readProjectFile(path)))).toEqual([]);
});

test('the lock file names no host', () => {
  expect(resolvedAddresses(readProjectFile('package-lock.json'))).toEqual([]);
});

/** A bar stands for nothing: written plainly, these texts would be found in this very file. */
const plain = (text: string): string => text.replaceAll('|', '');

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
