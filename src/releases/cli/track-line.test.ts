import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { printedLine } from '#command/styled-line.ts';
import { releaseViewOf } from '#releases/decide/view/release-view.ts';
import { ago, shopSnapshot, shopTime, shopWorkload } from '#releases/decide/view/testing/shop.ts';
import { countdown, trackLines } from './track-line.ts';

const stepped = (count: number, index: number) => {
  const workload = shopWorkload({ currentStepIndex: index });
  const steps = Array.from({ length: count }, (_, i): JsonObject => ({ partition: count - i }));
  const spec = {
    ...(workload['spec'] as JsonObject),
    replicas: count,
    updateStrategy: { canary: { steps } },
  };
  return releaseViewOf(shopSnapshot({ workload: { ...workload, spec } }));
};

const track = (count: number, index: number, columns = Infinity): readonly string[] =>
  trackLines(stepped(count, index), shopTime, columns).map((line) => printedLine(line, false));

test('of many steps those around the current one are shown', () => {
  const [line = ''] = track(100, 49);
  expect(line).toMatch(
    /^… 46 before ─ ✔ 47 partition 54 .* ● 50 partition 51 \(1 of 49 ready\) .* ─ … 42 more$/,
  );
  expect(track(100, 0)[0]).toMatch(/^● 1 partition 100 .* ─ … 88 more$/);
  expect(track(100, 99)[0]).toMatch(/^… 88 before .* ● 100 partition 1 /);
});

test('a track that is too wide goes on in the next line', () => {
  const lines = track(4, 1, 40);
  expect(lines).toEqual([
    '✔ 1 partition 4 ─',
    '● 2 partition 3 (1 of 1 ready) ─',
    '○ 3 partition 2 ─ ○ 4 partition 1',
  ]);
});

test.for([
  [ago(-42), '42s left'],
  [ago(-3600), '60m left'],
  [ago(0), 'over'],
  ['never', ''],
] as const)('the countdown to %s', ([end, text]) => {
  expect(countdown(end, shopTime)).toBe(text);
});
