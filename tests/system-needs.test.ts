import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { missing, needs, provide, type Need } from '../scripts/system-needs.ts';

const tool: Need = {
  name: 'Tool',
  programs: ['tool-by-one-name', 'tool-by-another'],
  debian: 'tool-package',
};
const refusal = 'The tests need Tool. Install the Debian packages: apt-get install -y tool-package';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boathook-needs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, body = '', mode = 0o755): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, name), mode);
}

const system = (isRoot: boolean): { path: string; isRoot: boolean } => ({
  path: `${folder}:/usr/bin:/bin`,
  isRoot,
});
const calls = (): readonly string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

test('a need is met by any of its programs, if it can be executed', () => {
  expect(missing([tool], folder)).toEqual([tool]);
  program('tool-by-another', '', 0o644);
  expect(missing([tool], folder)).toEqual([tool]);
  program('tool-by-another');
  expect(missing([tool], `/nowhere:${folder}`)).toEqual([]);
});

test('an ordinary user is told the exact packages, and nothing is installed', () => {
  program('apt-get', `echo "$@" >>'${folder}/calls'`);
  expect(provide([tool], system(false))).toEqual({ type: 'refused', why: refusal });
  expect(() => calls()).toThrow('ENOENT');
});

test('for root the packages are installed, after an update', () => {
  program(
    'apt-get',
    `echo "$@" >>'${folder}/calls'; if [ "$1" = install ]; then cp "$0" '${folder}/tool-by-one-name'; fi`,
  );
  expect(provide([tool], system(true))).toEqual({ type: 'ready' });
  expect(calls()).toEqual(['update', 'install -y --no-install-recommends tool-package']);
});

test('an installation that brings nothing is a refusal', () => {
  program('apt-get', 'exit 100');
  expect(provide([tool], system(true))).toEqual({ type: 'refused', why: refusal });
});

test('nothing is installed when nothing is missing', () => {
  program('apt-get', `echo "$@" >>'${folder}/calls'`);
  program('tool-by-one-name');
  expect(provide([tool], system(true))).toEqual({ type: 'ready' });
  expect(() => calls()).toThrow('ENOENT');
});

test('kubectl and git come from Debian', () => {
  const pairs = needs.map(({ name, debian }) => `${name} ${debian}`);
  expect(pairs).toEqual(expect.arrayContaining(['kubectl kubernetes-client', 'git git']));
});
