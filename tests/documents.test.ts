import { expect, test } from 'vitest';
import { badDecisions } from './support/decisions.ts';
import { rooms } from './support/house.ts';
import { termsOf, unused } from './support/glossary.ts';
import { anchors, deadLinks, fencedBlocks, misnamed, relativeLinks } from './support/markdown.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';

const files = projectFiles();
const byText = (left: string, right: string): number => left.localeCompare(right);
const pages = files.filter((path) => path.endsWith('.md'));
/** Undefined for files that do not exist: the guard of links reports them. */
const readSource = (path: string): string | undefined =>
  files.includes(path) ? readProjectFile(path) : undefined;

test('every relative link leads somewhere', () => {
  expect(pages).toContain('README.md');
  expect(pages.flatMap((path) => deadLinks(path, readProjectFile(path)))).toEqual([]);
});

test('a page that links a name to a source file finds it there', () => {
  expect(pages.flatMap((path) => misnamed(path, readProjectFile(path), readSource))).toEqual([]);
});

test('the guard of linked names bites', () => {
  const read = (path: string): string => (path === 'src/a.ts' ? 'export function walk() {}' : '');
  expect(misnamed('docs/x.md', '[`walk`](../src/a.ts) [`run`](../src/a.ts) [a](../src/a.ts)', read)).toEqual([
    'docs/x.md: src/a.ts exports no run',
  ]);
});

test('decisions are numbered, have a status, and are complete', () => {
  const records = files
    .filter((path) => path.startsWith('docs/adr/'))
    .map((path) => ({ name: path.slice('docs/adr/'.length), text: readProjectFile(path) }));
  expect(records.length).toBeGreaterThan(0);
  expect(badDecisions(records)).toEqual([]);
});

test('every runtime package is justified in the decision on dependencies', () => {
  const manifest = JSON.parse(readProjectFile('package.json')) as { dependencies: Record<string, string> };
  const page = readProjectFile('docs/adr/0010-dependency-policy.md');
  const justified = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  expect(justified.toSorted(byText)).toEqual(Object.keys(manifest.dependencies).toSorted(byText));
});

test('every package of the page is justified in the decision on its bundle', () => {
  const page = readProjectFile('docs/adr/0038-the-page-of-the-dashboard-is-bundled.md');
  const justified = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  expect(justified.toSorted(byText)).toEqual(rooms['web/page']?.packages.toSorted(byText));
});

test('every term of the glossary is in use and explained', () => {
  const used = files
    .filter(
      (path) =>
        /^(src|docs|deploy|examples)\/.*\.(ts|md|yaml)$|^[A-Z]+\.md$/.test(path) &&
        path !== 'docs/glossary.md',
    )
    .map((path) => readProjectFile(path).toLowerCase())
    .join('\n')
    .replaceAll(/\s+(?:\*\s)?/g, ' ');
  const terms = termsOf(readProjectFile('docs/glossary.md'));
  expect(terms.length).toBeGreaterThan(50);
  expect(unused(terms, used)).toEqual([]);
  for (const page of ['README.md', 'CONTRIBUTING.md'])
    expect(relativeLinks(readProjectFile(page))).toContain('docs/glossary.md');
});

test('the glossary guard bites', () => {
  const terms = termsOf(
    '| Term | Meaning |\n| --- | --- |\n| hook point | A place |\n| teatime | A break |\n',
  );
  expect(terms).toEqual(['hook point', 'teatime']);
  expect(unused(terms, 'a hook point of a cluster, and its hookpoints')).toEqual(['teatime']);
});

test('the changelog has a place for what comes next, and the licence is Apache 2.0', () => {
  expect(readProjectFile('CHANGELOG.md')).toMatch(/^## Unreleased$/m);
  expect(readProjectFile('LICENSE')).toContain(
    'Apache License\n                           Version 2.0, January 2004',
  );
});

test('the README gives its commands in blocks that can be executed', () => {
  const blocks = fencedBlocks(readProjectFile('README.md')).filter(({ language }) => language === 'sh');
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks.flatMap(({ text }) => text.split('\n').filter((line) => /^\s*\$ /.test(line)))).toEqual([]);
});

test.for([
  ['[here](README.md)', 0],
  ['[here](README.md#nowhere-at-all)', 1],
  ['[there](docs/nowhere.md)', 1],
  ['[up](../elsewhere.md)', 1],
  ['[web](https://kubernetes.io/docs)', 0],
  ['`[code](nowhere.md)`', 0],
  ['```\n[code](nowhere.md)\n```', 0],
  ['![picture](nowhere.png)', 1],
  ['[reference]: nowhere.md', 1],
  ['# A heading\n\n[down](#a-heading)', 0],
  ['# A heading\n\n[down](#another)', 1],
] as const)('the link guard bites: %s', ([text, count]) => {
  expect(deadLinks('PAGE.md', text)).toHaveLength(count);
});

test('links and anchors are read as viewers read them', () => {
  expect(relativeLinks('[a](b.md "title") and [c](<d.md>)')).toEqual(['b.md', 'd.md']);
  expect(anchors("# What isn't there\n## `code` and more\n## Twice\n## Twice")).toEqual([
    'what-isnt-there',
    'code-and-more',
    'twice',
    'twice-1',
  ]);
});

const decision = (number: string, status: string): string =>
  `# ${number}. Title\n\nStatus: ${status}\n\n## Context\n\n## Decision\n\n## Consequences\n\n## What would change our mind\n`;

test.for([
  {
    name: 'a sound pair',
    records: [
      ['0001-a.md', decision('0001', 'accepted')],
      ['0002-b.md', decision('0002', 'proposed')],
    ],
    count: 0,
  },
  {
    name: 'a gap',
    records: [
      ['0001-a.md', decision('0001', 'accepted')],
      ['0003-b.md', decision('0003', 'accepted')],
    ],
    count: 2,
  },
  { name: 'an invented status', records: [['0001-a.md', decision('0001', 'nice')]], count: 1 },
  {
    name: 'a successor that exists',
    records: [
      ['0001-a.md', decision('0001', 'superseded by [0002](0002-b.md)')],
      ['0002-b.md', decision('0002', 'accepted')],
    ],
    count: 0,
  },
  {
    name: 'a successor that does not',
    records: [['0001-a.md', decision('0001', 'superseded by [0002](0002-b.md)')]],
    count: 1,
  },
  {
    name: 'a missing section',
    records: [['0001-a.md', '# 0001. T\n\nStatus: accepted\n\n## Context\n']],
    count: 3,
  },
] as const)('the decision guard bites: $name', ({ records, count }) => {
  expect(badDecisions(records.map(([name, text]) => ({ name, text })))).toHaveLength(count);
});
