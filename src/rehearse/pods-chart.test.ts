import { expect, test } from 'vitest';
import { podsChart } from './pods-chart.ts';
import type { RehearsalReport } from './rehearsal-report.ts';
import { sampleReport } from './testing/sample-report.ts';

const chart = (approvals: RehearsalReport['approvals']): string =>
  podsChart({ ...sampleReport, seconds: 1000, approvals });

/** The middles of the words on the chart. */
const words = (svg: string): readonly number[] =>
  [...svg.matchAll(/<text class="mark" x="([\d.]+)"/g)].map(([, x]) => Number(x));

test('the last time ends at the right edge of the plot', () => {
  expect(chart([])).toContain('<text class="time last" x="944" y="284">16:40</text>');
});

test('the words of approvals stay in the picture', () => {
  expect(words(chart([{ at: 0 }, { at: 1000 }]))).toEqual([78, 930]);
});

test('a word that would cover the one before it is left out; each approval has a tick', () => {
  const svg = chart([{ at: 100 }, { at: 110 }, { at: 150 }, { at: 170, step: 4 }]);
  expect(words(svg)).toEqual([137.6, 200.3]);
  expect(svg.match(/class="tick"/g)).toHaveLength(4);
  expect(svg).toContain('<title>step 4 approved at 2:50</title>');
});
