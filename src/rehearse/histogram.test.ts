import { expect, test } from 'vitest';
import { binsOf } from './bins.ts';
import { histogram } from './histogram.ts';
import { outcomeTexts } from './seeds-lines.ts';

test('a bar for each bin, with a part for each outcome', () => {
  const bins = binsOf(
    [
      { value: 2, type: 'Completes' as const },
      { value: 2, type: 'Stops' as const },
      { value: 3, type: 'Completes' as const },
    ],
    20,
  );
  const svg = histogram(bins, { label: 'pods', valueText: String, outcomeTexts });
  expect([...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
    '2: 1 complete',
    '2: 1 stop',
    '3: 1 complete',
  ]);
  expect(svg).toMatch(/class="time" x="76" y="144">2<.*\n.*class="time" x="148" y="144">3</);
});

test('without room for all values the first and the last are named', () => {
  const bins = binsOf(
    [0, 500, 1000].map((value) => ({ value, type: 'Completes' as const })),
    20,
  );
  const svg = histogram(bins, { label: 'x', valueText: (value) => `${value} s`, outcomeTexts });
  expect(svg).toContain('<text class="name" x="40" y="144">0 s</text>');
  expect(svg).toContain('<text class="time last" x="396" y="144">1000 s</text>');
  expect(svg).toContain('<title>0 s to 50 s: 1 complete</title>');
});
