import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { crdOf } from '#schema/kind/crd.ts';
import { kinds } from '#cli/kinds.ts';
import { lantern } from '#schema/kind/testing/lantern.ts';
import { generatedFiles, generatedFolders, insert } from '../scripts/generated-files.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

test('generated files are as the sources say', () => {
  for (const { path, text } of generatedFiles(kinds, readProjectFile))
    expect(readProjectFile(path), path).toBe(text);
});

test('nothing else lies among the generated files', () => {
  const wanted = new Set(generatedFiles(kinds, readProjectFile).map(({ path }) => path));
  const found = projectFiles().filter((path) =>
    generatedFolders.some((folder) => path.startsWith(`${folder}/`)),
  );
  expect(found.filter((path) => !wanted.has(path))).toEqual([]);
});

test('a kind gets its CRD and its page, and the contents name it', () => {
  const files = new Map(generatedFiles([lantern], readProjectFile).map(({ path, text }) => [path, text]));
  const yaml = files.get('deploy/crds/harbourlanterns.harbour.example.com.yaml') ?? '';
  expect(parse(yaml)).toEqual(crdOf(lantern));
  expect(files.get('docs/reference/harbour-lantern.md')).toContain('# HarbourLantern');
  expect(files.get('docs/reference/README.md')).toContain('[HarbourLantern](harbour-lantern.md)');
});

test('a part of a page is replaced between its markers and nowhere else', () => {
  const page = 'a\n<!-- begin x -->\nold\n<!-- end x -->\nz\n';
  expect(insert(page, 'x', 'new')).toBe('a\n<!-- begin x -->\nnew\n<!-- end x -->\nz\n');
  expect(insert(insert(page, 'x', 'new'), 'x', 'new')).toBe(insert(page, 'x', 'new'));
  expect(() => insert('no markers', 'x', 'new')).toThrow('lacks the marker');
});
