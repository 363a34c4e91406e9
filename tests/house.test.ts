import { expect, test } from 'vitest';
import { roomTable, rooms } from './support/house.ts';
import { fileOf, findCycle, importsOf, packageOf, trespasses } from './support/imports.ts';
import { badManners, badNames } from './support/manners.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

const files = projectFiles();
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const sources = files.filter((path) => /\.tsx?$/.test(path));
const house = sources.filter((path) => path.startsWith('src/') && !isTest(path));

test('every import follows the flow', () => {
  expect(house.length).toBeGreaterThan(0);
  expect(house.flatMap((path) => trespasses(path, readProjectFile(path)))).toEqual([]);
});

test('no file imports itself by way of others', () => {
  const graph = new Map(
    house.map((path) => [
      path,
      importsOf(readProjectFile(path)).flatMap(({ from }) => fileOf(path, from) ?? []),
    ]),
  );
  expect(findCycle(graph)).toBeUndefined();
});

test('tests name the room they reach into', () => {
  const climbing = sources
    .filter((path) => path.startsWith('src/') && isTest(path))
    .flatMap((path) =>
      importsOf(readProjectFile(path))
        .filter(({ from }) => from.startsWith('../'))
        .map(() => path),
    );
  expect(climbing).toEqual([]);
});

test('files are named after what they do', () => {
  expect(sources.filter((path) => path.includes('/')).flatMap((path) => badNames(path))).toEqual([]);
});

test('nothing is evaluated and nothing is a barrel', () => {
  const unguarded = sources.filter(
    (path) => path !== 'tests/support/manners.ts' && path !== 'tests/house.test.ts',
  );
  expect(unguarded.flatMap((path) => badManners(path, readProjectFile(path)))).toEqual([]);
});

test('every room says in at most fifteen lines what it is for', () => {
  const complaints = Object.keys(rooms).flatMap((name) => {
    const path = `src/${name}/README.md`;
    if (!files.includes(path)) return [`${path} is missing`];
    const lines = readProjectFile(path).trimEnd().split('\n').length;
    return lines <= 15 ? [] : [`${path} has ${lines} lines`];
  });
  expect(complaints).toEqual([]);
});

test('ARCHITECTURE.md prints the table of rooms', () => {
  expect(readProjectFile('ARCHITECTURE.md')).toContain(roomTable());
});

test('runtime packages and rooms know each other', () => {
  const manifest = JSON.parse(readProjectFile('package.json')) as { dependencies: Record<string, string> };
  const allowed = Object.values(rooms).flatMap(({ packages }) => packages);
  expect([...new Set(allowed)].sort()).toEqual(Object.keys(manifest.dependencies).sort());
});

test.for([
  ['src/decide/a.ts', "import { x } from '#edge/clock.ts';", 1],
  ['src/decide/a.ts', "import { readFileSync } from 'node:fs';", 1],
  ['src/decide/a.ts', "import 'node:fs';", 1],
  ['src/control/a.ts', "import { x } from '#edge/clock.ts';", 1],
  ['src/control/a.ts', "import { type X } from '#edge/clock.ts';", 1],
  ['src/control/a.ts', "import type { X } from '#edge/clock.ts';", 0],
  ['src/control/a.ts', "export type { X } from '#edge/clock.ts';", 0],
  ['src/control/a.ts', "type X = import('#edge/clock.ts').X;", 0],
  ['src/base/a.ts', "export { x } from '#kube/object.ts';", 1],
  ['src/base/a.ts', "import { x } from './json.ts';", 0],
  ['src/kube/schema/a.ts', "import { x } from '../object.ts';", 1],
  ['src/kube/a.ts', "import { RE2JS } from 're2js';", 0],
  ['src/apiserver/a.ts', "import { RE2JS } from 're2js';", 1],
  ['src/apiserver/a.ts', "import { x } from '#cli/kinds.ts';", 1],
  ['src/nodes/a.ts', "import type { X } from '#schema/kind/kind.ts';", 1],
  ['src/builtin/a.ts', "import type { Client } from '#edge/kube/client.ts';", 0],
  ['src/edge/a.ts', "import { X509Certificate } from '@peculiar/x509';", 0],
  ['src/edge/a.ts', "import { x } from '@peculiar/asn1-schema';", 1],
  ['src/edge/a.ts', "import { x } from '#embedded/server/server.ts';", 1],
  ['src/simulate/a.ts', "import { x } from '#edge/clock.ts';", 1],
  ['src/cli/a.ts', "import { Command } from 'commander';\nimport { x } from '#edge/clock.ts';", 0],
  ['src/api/a.ts', "import {\n  a,\n} from 'react';", 1],
  ['src/api/a.ts', "export type P = 'a' | 'b';", 0],
  ['src/decide/a.ts', "const late = import('#edge/clock.ts');", 1],
  ['src/decide/a.ts', 'export async function judge() {}', 1],
  ['src/nowhere/a.ts', '', 1],
] as const)('the guard bites: %s %s', ([path, source, count]) => {
  expect(trespasses(path, source)).toHaveLength(count);
});

test.for([
  { name: 'a ring of three', edges: { a: ['b'], b: ['c'], c: ['a'] }, ring: ['a', 'b', 'c', 'a'] },
  { name: 'a file that imports itself', edges: { a: ['a'] }, ring: ['a', 'a'] },
  { name: 'a ring behind an innocent file', edges: { z: ['a'], a: ['b'], b: ['a'] }, ring: ['a', 'b', 'a'] },
  { name: 'two ways to the same file', edges: { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, ring: undefined },
])('the guard sees rings: $name', ({ edges, ring }) => {
  expect(findCycle(new Map(Object.entries(edges)))).toEqual(ring);
});

test.for([
  ['src/kube/index.ts', 1],
  ['src/kube/utils.ts', 1],
  ['src/helpers/patch.ts', 1],
  ['src/common/a.test.ts', 1],
  ['src/kube/types.ts', 1],
  ['src/kube/types/apps-v1.ts', 0],
  ['src/kube/fieldError.ts', 1],
  ['src/kube/field-error.test.ts', 0],
  ['src/kube/table/pod.ts', 0],
] as const)('the guard reads names: %s', ([path, count]) => {
  expect(badNames(path)).toHaveLength(count);
});

test.for([
  ['eval("1")', 1],
  ['globalThis.eval(text)', 1],
  ['new Function("return 1")', 1],
  ['Function("return 1")', 1],
  ['(() => {}).constructor("return 1")', 1],
  ["import vm from 'node:vm'", 1],
  ["const { Script } = await import('vm')", 1],
  ["export * from './a.ts';", 1],
  ["export * as all from './a.ts';", 1],
  ['retrieval(text)', 0],
  ['schema.eval(now)', 0],
  ['type F = Function;', 0],
  ["const folder = 'vms';", 0],
] as const)('the guard smells evaluation and barrels: %s', ([source, count]) => {
  expect(badManners('src/base/a.ts', source)).toHaveLength(count);
});

test('packages are known by their whole name', () => {
  expect(['yaml', 'typebox/value', '@peculiar/x509', '@peculiar/x509/deep'].map(packageOf)).toEqual([
    'yaml',
    'typebox',
    '@peculiar/x509',
    '@peculiar/x509',
  ]);
});
