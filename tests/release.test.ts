import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { releaseNotes } from '../scripts/release-notes.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

const manifest = JSON.parse(readProjectFile('package.json')) as {
  version: string;
  scripts: Record<string, string>;
};
const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n- New.\n\n## 1.1.0\n\n- Old.\n\n## 1.0.0\n';

test.for([
  ['v1.2.0', '1.2.0', { type: 'notes', text: '- New.' }],
  ['v1.1.0', '1.1.0', { type: 'notes', text: '- Old.' }],
  ['v1.2.0-rc.1', '1.2.0-rc.1', { type: 'notes', text: '- New.' }],
  ['1.2.0', '1.2.0', { type: 'refused', why: /is not vX\.Y\.Z/ }],
  ['v1.2.0-final', '1.2.0', { type: 'refused', why: /is not vX\.Y\.Z/ }],
  ['v1.2.1', '1.2.0', { type: 'refused', why: /is not the version 1\.2\.0 in package\.json/ }],
  ['v1.3.0', '1.3.0', { type: 'refused', why: /no section 1\.3\.0/ }],
  ['v1.0.0', '1.0.0', { type: 'refused', why: /is empty/ }],
] as const)('a tag %s of version %s', ([tag, version, expected]) => {
  const notes = releaseNotes(tag, version, changelog);
  expect(notes.type).toBe(expected.type);
  if (notes.type === 'notes') expect(notes).toEqual(expected);
  else expect(notes.why).toMatch('why' in expected ? expected.why : '');
});

test('the present version can be released', () => {
  const { version } = manifest;
  expect(releaseNotes(`v${version}`, version, readProjectFile('CHANGELOG.md')).type).toBe('notes');
});

type Workflow = {
  readonly permissions: object;
  readonly jobs: Record<
    string,
    {
      readonly 'timeout-minutes': number;
      readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
    }
  >;
};

const workflows = projectFiles().filter((path) => path.startsWith('.github/workflows/'));

test('there are workflows for changes and for releases', () => {
  expect(workflows).toEqual(['.github/workflows/ci.yml', '.github/workflows/release.yml']);
});

const scripts = Object.keys(manifest.scripts);

test.for(workflows)('%s runs what exists, with few rights, and names no host', (path) => {
  const text = readProjectFile(path);
  const { permissions, jobs } = parse(text) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(text.match(/\b[\w-]+\.(?:io|com|org|dev|net)\b(?=[/:"'\s])/g) ?? []).toEqual([]);
  for (const [name, job] of Object.entries(jobs)) {
    expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    for (const { uses, run = '' } of job.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
      for (const [, script = ''] of run.matchAll(/npm run (?:--silent )?([\w-]+)/g))
        expect(scripts, `${path}: ${run}`).toContain(script);
    }
  }
});

test('no secret is part of a command line', () => {
  for (const path of workflows)
    for (const { steps } of Object.values((parse(readProjectFile(path)) as Workflow).jobs))
      for (const { run = '' } of steps) expect(run).not.toContain('secrets.');
});
