import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtinKinds } from './builtin-kinds.ts';
import { subresourceInfo } from './subresource-kinds.ts';

/** What the files of a folder export under names that end in `ending`, with the names. */
async function exportsOf(folder: string, ending: RegExp): Promise<readonly (readonly [string, unknown])[]> {
  const files = readdirSync(new URL(folder, import.meta.url)).filter((name) => /^[^.]+\.ts$/.test(name));
  const modules = await Promise.all(
    files.map((file) => import(`${folder}/${file}`) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((each) => Object.entries(each)).filter(([name]) => ending.test(name));
}

/** Not of one kind: makers, shared parts, the default table, and what belongs to a subresource. */
const shared = [
  'kindRules',
  'statusRules',
  'namespaceFinalizeRules',
  'ephemeralContainerRules',
  'customColumns',
  'defaultColumns',
  'scaleColumns',
  'templateColumns',
];

const unused = (all: readonly (readonly [string, unknown])[], used: readonly unknown[]): readonly string[] =>
  all.filter(([name, value]) => !used.includes(value) && !shared.includes(name)).map(([name]) => name);

test('rules of a kind are the rules of a row', async () => {
  const rules = await exportsOf('./rules', /Rules$/);
  expect(rules.length).toBeGreaterThan(30);
  expect(
    unused(
      rules,
      builtinKinds.map((each) => each.rules),
    ),
  ).toEqual([]);
});

test('columns of a kind are the columns of a row', async () => {
  const columns = await exportsOf('./columns', /Columns$/);
  expect(columns.length).toBeGreaterThan(30);
  expect(
    unused(
      columns,
      builtinKinds.map((each) => each.columns),
    ),
  ).toEqual([]);
});

test('a kind has one row per group and version', () => {
  const names = builtinKinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
  expect(names).toEqual([...new Set(names)]);
});

test('a served kind with a status has rules for it, and every served subresource has a kind', () => {
  for (const { kind, subresources, rules } of builtinKinds.filter((each) => each.served)) {
    for (const name of subresources) expect(subresourceInfo(kind, name).verbs).not.toEqual([]);
    expect([kind, rules.hasStatus]).toEqual([kind, subresources.includes('status')]);
  }
});

test('a version that is not stored is stored as another row', () => {
  for (const { kind, stored } of builtinKinds) {
    if (stored === undefined) continue;
    const target = builtinKinds.find(
      (each) => each.kind === kind && each.group === stored.group && each.version === stored.version,
    );
    expect(target?.stored, kind).toBeUndefined();
    expect(target?.served, kind).toBe(true);
  }
});
