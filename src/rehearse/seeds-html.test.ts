import { expect, test } from 'vitest';
import { percentText } from './distribution-html.ts';
import { seedsHtml } from './seeds-html.ts';
import { sampleReport, stoppedReport } from './testing/sample-report.ts';

const headings = (page: string): readonly string[] =>
  [...page.matchAll(/<h[12]>(.*?)<\/h[12]>/g)].map(([, title = '']) => title);

test('a summary of each workload, then an example of each outcome', () => {
  const page = seedsHtml([
    [stoppedReport, { ...sampleReport, seed: 3 }, { ...sampleReport, seed: 4 }],
    [
      { ...sampleReport, workload: 'gd/other', seed: 3 },
      { ...sampleReport, workload: 'gd/other', seed: 4 },
    ],
  ]);
  const parts = ['Outcomes', 'Duration', 'Lowest availability', 'Assumed', 'Warnings', 'Not run here'];
  expect(headings(page)).toEqual([
    '3 rehearsals of gd/shop in namespace games: shop: shop:1 -&gt; shop:2',
    ...parts,
    'gd/shop with --seed 3: an example of those that complete',
    'gd/shop with --seed 2: an example of those that stop',
    '2 rehearsals of gd/other in namespace games: shop: shop:1 -&gt; shop:2',
    ...parts,
    'gd/other with --seed 3: an example of those that complete',
  ]);
  expect(page).toContain('<dt>of those that stop</dt><dd>20s</dd>');
  expect(page).toContain('<dt>median</dt><dd>1m40s</dd>');
  expect(page).toContain('<strong>2 of 3 (67 %)</strong> complete (for instance <a href="#w1-seed-3">');
  expect([...page.matchAll(/ id="(.*?)"/g)].map(([, id]) => id)).toEqual([
    'w1-seed-3',
    'w1-seed-2',
    'w2-seed-3',
  ]);
});

test('texts of manifests and hooks are text on the page', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='x'>`;
  const report = {
    ...sampleReport,
    workload: hostile,
    change: hostile,
    strategy: hostile,
    warnings: [hostile],
    outcome: { type: 'WaitsForApproval', message: hostile } as const,
  };
  expect(seedsHtml([[report, report]])).not.toMatch(/<script|<img|onerror='/);
});

test.for([
  [0, 3, '0 %'],
  [1, 3, '33 %'],
  [1, 1000, 'under 1 %'],
  [999, 1000, 'over 99 %'],
  [5, 5, '100 %'],
] as const)('%i of %i are %s', ([part, all, percent]) => {
  expect(percentText(part, all)).toBe(percent);
});
