import { expect, test } from 'vitest';
import { blockerReasons } from '#releases/model/blocker.ts';
import { readProjectFile } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/canary.md');

test.for(Object.entries(blockerReasons))('the guide explains %s', ([reason, sentence]) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${reason}\``));
  expect(row).toContain(sentence);
});

test('it explains nothing else', () => {
  const [, table = ''] = page.split('### Why it is not moving');
  const [rows = ''] = table.split('### Events');
  const told = [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason);
  expect(told).toEqual(Object.keys(blockerReasons));
});
