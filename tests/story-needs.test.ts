import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonAgainst, storyNeeds } from './cluster/story-needs.ts';
import { root } from './support/project-files.ts';

const folders = ['tests/story', 'tests/conformance'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), 'utf8') })),
);

test('every story is listed: it runs on any cluster, or there is a reason why not', () => {
  expect(Object.keys(storyNeeds).toSorted()).toEqual(files.map(({ name }) => name).toSorted());
});

test('tests that need the embedded server exist and have a reason', () => {
  for (const { name, text } of files) {
    const needs = storyNeeds[name];
    if (needs === undefined) continue;
    const reasons = needs.runs === 'embedded' ? { '': needs.why } : (needs.except ?? {});
    const disturbed = needs.runs === 'embedded' ? [] : (needs.bare ?? []);
    for (const title of disturbed) expect(text, name).toContain(title);
    for (const [title, why] of Object.entries(reasons)) {
      expect(text, name).toContain(title);
      expect(why, `${name} ${title}`).toMatch(/^[a-z].{20,}[^.]$/);
    }
  }
});

test('a reason belongs to a file, to a test, or to a cluster with controllers', () => {
  const bare = { hasControllers: false };
  const [file, needs] = Object.entries(storyNeeds).find(([, each]) => each.runs === 'embedded') ?? [
    '',
    undefined,
  ];
  expect(reasonAgainst(file, 'any test', bare)).toBe(needs?.runs === 'embedded' ? needs.why : undefined);
  const [other = ''] = Object.entries(storyNeeds).find(([, each]) => each.runs === 'bare') ?? [];
  expect(reasonAgainst(other, 'any test', bare)).toBeUndefined();
  expect(reasonAgainst(other, 'any test', { hasControllers: true })).toMatch(/controllers of its own/);
});
