import { expect, test } from 'vitest';
import type { CounterDescription, GaugeDescription } from '#base/metrics.ts';
import { createMetrics } from './metrics.ts';

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const calls: CounterDescription = {
  type: 'counter',
  name: 'calls_total',
  help: 'Calls.',
  labels: { to: 'a or b', by: 'x' },
};
const open: GaugeDescription = { type: 'gauge', name: 'open', help: 'Open.', labels: { to: 'a or b' } };

test('equal names are one metric', async () => {
  const metrics = createMetrics({ ofProcess: false });
  for (const to of ['a', 'a', 'b']) metrics.counter(calls).add({ to, by: 'x' });
  metrics.counter(calls).add({ to: 'b', by: 'x' }, 1.5);
  metrics.counter(calls).add({ to: 'c', by: 'x' }, 0);
  expect(lines(await metrics.text())).toEqual([
    '# HELP calls_total Calls.',
    '# TYPE calls_total counter',
    'calls_total{to="a",by="x"} 2',
    'calls_total{to="b",by="x"} 2.5',
    'calls_total{to="c",by="x"} 0',
  ]);
});

test('a histogram counts what is at most each bound, and adds up', async () => {
  const metrics = createMetrics({ ofProcess: false });
  const seconds = metrics.histogram({
    type: 'histogram',
    name: 'seconds',
    help: 'How long.',
    labels: {},
    bounds: [0.1, 1],
  });
  for (const value of [0.1, 0.5, 7]) seconds.observe({}, value);
  expect(lines(await metrics.text()).slice(2)).toEqual([
    'seconds_bucket{le="0.1"} 1',
    'seconds_bucket{le="1"} 2',
    'seconds_bucket{le="+Inf"} 3',
    'seconds_sum 7.6',
    'seconds_count 3',
  ]);
});

test('what is gone is forgotten in every metric, and may come back', async () => {
  const metrics = createMetrics({ ofProcess: false });
  const gauge = metrics.gauge(open);
  gauge.set({ to: 'a' }, 1);
  gauge.set({ to: 'b' }, 1);
  metrics.counter(calls).add({ to: 'b', by: 'x' });
  metrics.forget({ to: 'b' });
  const text = await metrics.text();
  expect(text).not.toContain('to="b"');
  expect(text).toContain('open{to="a"} 1');
  gauge.set({ to: 'b' }, 2);
  expect(await metrics.text()).toContain('open{to="b"} 2');
});

test('a sampled metric is read at a scrape only, and the samples of all readers add up', async () => {
  const metrics = createMetrics({ ofProcess: false });
  let reads = 0;
  const end = metrics.sampled(open, () => {
    reads += 1;
    return [{ labels: { to: 'a' }, value: reads }];
  });
  metrics.sampled(open, () => [
    { labels: { to: 'a' }, value: 10 },
    { labels: { to: 'b' }, value: 1 },
  ]);
  metrics.sampled({ ...calls, labels: {} }, () => [{ labels: {}, value: 4 }]);
  expect(reads).toBe(0);
  expect(lines(await metrics.text())).toEqual(
    expect.arrayContaining(['open{to="a"} 11', 'open{to="b"} 1', 'calls_total 4']),
  );
  expect(lines(await metrics.text())).toEqual(expect.arrayContaining(['open{to="a"} 12', 'calls_total 4']));
  end();
  expect(lines(await metrics.text())).toContain('open{to="a"} 10');
  expect(reads).toBe(2);
});

test('of the process: its memory among others, when wanted', async () => {
  expect(await createMetrics({ ofProcess: true }).text()).toMatch(/^process_resident_memory_bytes \d/m);
  expect(await createMetrics({ ofProcess: false }).text()).not.toContain('process_');
});
