import { expect, test } from 'vitest';
import {
  blindCasts,
  citedCodes,
  duplicateTypes,
  folderGraph,
  impureDecisions,
  namedAndMissing,
} from './support/conventions.ts';
import { featureTable, features, floorTable, rooms, roomTable } from './support/house.ts';
import { fileOf, findCycle, importsOf, packageOf, trespasses } from './support/imports.ts';
import { badManners, badNames } from './support/manners.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

const files = projectFiles();
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const sources = files.filter((path) => /\.tsx?$/.test(path));
const house = sources.filter((path) => path.startsWith('src/') && !isTest(path));
const production = new Map(
  house.filter((path) => !path.includes('/testing/')).map((path) => [path, readProjectFile(path)]),
);

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

test('no folder imports itself by way of others', () => {
  expect(findCycle(folderGraph(production))).toBeUndefined();
});

test('an exported type has a name of its own', () => {
  expect([...duplicateTypes(production)]).toEqual([]);
});

test('comments cite no code that the repository does not define', () => {
  const found = [...production].flatMap(([path, source]) =>
    citedCodes(source).map((code) => `${path}: ${code}`),
  );
  expect(found).toEqual([]);
});

test('a decision returns a value and throws nothing', () => {
  const found = [...production].flatMap(([path, source]) => impureDecisions(path, source));
  expect(found).toEqual([]);
});

test('only the files that read data assert its type', () => {
  const found = [...production].flatMap(([path, source]) => blindCasts(path, source));
  expect(found).toEqual([]);
});

test('every file that a README names exists', () => {
  const pages = files.filter((path) => /(^|\/)README\.md$/.test(path));
  expect(pages.flatMap((path) => namedAndMissing(path, readProjectFile(path), files))).toEqual([]);
});

test('tests name the folder they reach into', () => {
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

test('every folder says in at most fifteen lines what it is for', () => {
  const shared = Object.keys(rooms).filter((name) => features[name.split('/')[0] ?? ''] === undefined);
  const complaints = shared.flatMap((name) => {
    const path = `src/${name}/README.md`;
    if (!files.includes(path)) return [`${path} is missing`];
    const lines = readProjectFile(path).trimEnd().split('\n').length;
    return lines <= 15 ? [] : [`${path} has ${lines} lines`];
  });
  const missing = Object.keys(features).filter((name) => !files.includes(`src/${name}/README.md`));
  expect([...complaints, ...missing]).toEqual([]);
});

test('ARCHITECTURE.md prints the tables of folders', () => {
  const text = readProjectFile('ARCHITECTURE.md');
  for (const table of [roomTable(), featureTable(), floorTable()]) expect(text).toContain(table);
});

test('runtime packages and rooms know each other', () => {
  type Named = Record<string, string>;
  const { dependencies, devDependencies } = JSON.parse(readProjectFile('package.json')) as {
    readonly dependencies: Named;
    readonly devDependencies: Named;
  };
  // What the page imports is inside its bundle: an installed package does not need it.
  const { 'web/page': page, ...others } = rooms;
  const allowed = Object.values(others).flatMap(({ packages }) => packages);
  expect([...new Set(allowed)].sort()).toEqual(Object.keys(dependencies).sort());
  for (const name of page?.packages ?? []) expect(Object.keys(devDependencies)).toContain(name);
});

test.for([
  ['src/hooks/decide/a.ts', "import { x } from '#edge/clock.ts';", 1],
  ['src/hooks/decide/a.ts', "import { x } from '#loop/delta.ts';", 1],
  ['src/hooks/decide/a.ts', "import { readFileSync } from 'node:fs';", 1],
  ['src/hooks/decide/a.ts', "import 'node:fs';", 1],
  ['src/hooks/decide/a.ts', "const late = import('#edge/clock.ts');", 1],
  ['src/hooks/decide/a.ts', 'export async function judge() {}', 1],
  ['src/hooks/decide/a.ts', "import { x } from '#hooks/kinds/metric.ts';", 0],
  ['src/hooks/decide/a.ts', "import { x } from '#hooks/controller/run-reconciler.ts';", 1],
  ['src/hooks/model.ts', "import { x } from '#hooks/decide/run.ts';", 1],
  ['src/hooks/decide/a.ts', "import { x } from '#hooks/model.ts';", 0],
  ['src/hooks/kinds/a.ts', "import { x } from '#hooks/providers/web/wire/web-wire.ts';", 0],
  ['src/hooks/kinds/a.ts', "import { x } from '#hooks/providers/web/web.ts';", 1],
  ['src/hooks/providers/web/wire/a.ts', "import { x } from '#hooks/decide/run.ts';", 1],
  ['src/hooks/providers/wire/a.ts', "import { x } from '#hooks/providers/provider.ts';", 1],
  ['src/releases/controller/a.ts', "import { x } from '#edge/clock.ts';", 1],
  ['src/releases/controller/a.ts', "import { type X } from '#edge/clock.ts';", 1],
  ['src/releases/controller/a.ts', "import type { X } from '#edge/clock.ts';", 0],
  ['src/releases/controller/a.ts', "export type { X } from '#edge/clock.ts';", 0],
  ['src/releases/controller/a.ts', "type X = import('#edge/clock.ts').X;", 0],
  ['src/releases/controller/a.ts', "import { x } from '#hooks/decide/run.ts';", 0],
  ['src/releases/controller/a.ts', "import { x } from '#hooks/controller/run-reconciler.ts';", 1],
  ['src/releases/decide/a.ts', "import { x } from '#hooks/call/trust.ts';", 1],
  ['src/releases/kinds/a.ts', "import { x } from '#hooks/decide/run.ts';", 1],
  ['src/hooks/kinds/a.ts', "import {\n  a,\n} from 'react';", 1],
  ['src/hooks/kinds/a.ts', "export type P = 'a' | 'b';", 0],
  ['src/base/a.ts', "export { x } from '#kube/object.ts';", 1],
  ['src/base/a.ts', "import { x } from './json.ts';", 0],
  ['src/schema/cel/a.ts', "import { x } from '../object.ts';", 1],
  ['src/kube/a.ts', "import { RE2JS } from 're2js';", 0],
  ['src/embedded/server/a.ts', "import { RE2JS } from 're2js';", 1],
  ['src/embedded/server/a.ts', "import { x } from '#hooks/kinds/metric.ts';", 1],
  ['src/embedded/start.ts', "import { x } from '#hooks/kinds/metric.ts';", 1],
  ['src/embedded/nodes/a.ts', "import type { X } from '#releases/kinds/canary.ts';", 1],
  ['src/embedded/controllers/a.ts', "import type { Client } from '#edge/kube/client.ts';", 0],
  ['src/embedded/controllers/a.ts', "import type { X } from '#embedded/server/server.ts';", 1],
  ['src/edge/a.ts', "import { X509Certificate } from '@peculiar/x509';", 0],
  ['src/edge/a.ts', "import { x } from '@peculiar/asn1-schema';", 1],
  ['src/edge/a.ts', "import { x } from '#embedded/server/server.ts';", 1],
  ['src/cli/a.ts', "import { Command } from 'commander';\nimport { x } from '#edge/clock.ts';", 0],
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

test('the guard sees a ring of folders', () => {
  const ring = new Map([
    ['src/kube/a/one.ts', "import { two } from '#kube/b/two.ts';"],
    ['src/kube/b/two.ts', "import type { Three } from '#kube/b/three.ts';"],
    ['src/kube/b/three.ts', "import type { Four } from '#kube/a/four.ts';"],
    ['src/kube/a/four.ts', ''],
  ]);
  expect(findCycle(folderGraph(ring))).toEqual(['src/kube/a', 'src/kube/b', 'src/kube/a']);
});

test('the guard sees a type that is defined twice', () => {
  const twice = new Map([
    ['src/kube/a.ts', 'export type Step = 1;\nexport type Only<T> = T;'],
    ['src/loop/b.ts', "export class Step {}\nexport type { Only } from '#kube/a.ts';\ntype Hidden = 1;"],
    ['src/loop/c.ts', 'type Hidden = 2;\nexport function Step() {}'],
  ]);
  expect([...duplicateTypes(twice)]).toEqual([['Step', ['src/kube/a.ts', 'src/loop/b.ts']]]);
});

test.for([
  ['// As §2.8 asks.', ['§2.8']],
  ['/** The budget (G9). */', ['G9']],
  ['/**\n * See DEC-08 and A-07.\n */', ['DEC-08', 'A-07']],
  ['// Reached or passed (decision 16).', ['decision 16']],
  ['const G9 = 1; // no code', []],
  ["const text = 'http://x §2.8';", []],
  ['// RFC 6902 §4.1, in UTF-8, with SHA-256.', []],
  ['// Node v24 takes 10 s.', []],
] as const)('the guard finds cited codes: %s', ([source, codes]) => {
  expect(citedCodes(source)).toEqual(codes);
});

test.for([
  ['src/hooks/decide/a.ts', 'function spend(left: Budget): void {}', 1],
  ['src/hooks/decide/a.ts', 'type Deps = { take: (pod: string) => void };', 1],
  ['src/hooks/decide/a.ts', "throw new Error('no');", 1],
  ['src/hooks/decide/a.ts', "const text = 'throw'; // : void", 0],
  ['src/hooks/controller/a.ts', "function act(): void { throw new Error('no'); }", 0],
] as const)('the guard reads decisions: %s %s', ([path, source, count]) => {
  expect(impureDecisions(path, source)).toHaveLength(count);
});

test.for([
  ['src/hooks/decide/a.ts', 'const run = json as unknown as Run;', 1],
  ['src/hooks/read.ts', 'const run = json as unknown as Run;', 0],
  ['src/machines/read-cluster.ts', 'const run = json as unknown as Run;', 0],
  ['src/hooks/bread.ts', 'const run = json as unknown as Run;', 1],
  ['src/hooks/decide/a.ts', '// as unknown as', 0],
] as const)('the guard sees blind casts: %s %s', ([path, source, count]) => {
  expect(blindCasts(path, source)).toHaveLength(count);
});

test.for([
  ['`store.ts`', 0],
  ['`server/store.ts`', 0],
  ['`kube/object.ts`', 0],
  ['`gone.ts`', 1],
  ['`npm run x`', 0],
] as const)('the guard reads READMEs: %s', ([text, count]) => {
  const there = ['src/embedded/server/store.ts', 'src/kube/object.ts'];
  expect(namedAndMissing('src/embedded/README.md', text, there)).toHaveLength(count);
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
