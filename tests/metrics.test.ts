import { expect, test } from 'vitest';
import type { MetricDescription } from '#base/metrics.ts';
import { metricTable } from '#cli/metric-table.ts';
import { createMetrics } from '#edge/metrics.ts';
import { alerts } from '../scripts/monitoring/alerts.ts';
import { panels } from '../scripts/monitoring/panels.ts';
import { projectFiles, readProjectFile } from './support/project-files.ts';
import { unknownNames } from './support/promql.ts';

const table = metricTable.flatMap(({ metrics }) => metrics);

test('every metric that the source names is in the table, and on the reference page', () => {
  const sources = projectFiles().filter((path) => /^src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'));
  const named = sources.flatMap((path) =>
    [...readProjectFile(path).matchAll(/'(boathook_[a-z_]+)'/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(25);
  expect([...new Set(named)].toSorted()).toEqual(table.map(({ name }) => name).toSorted());
  const page = readProjectFile('docs/reference/metrics.md');
  expect(table.filter(({ name }) => !page.includes(`### ${name}\n`))).toEqual([]);
});

test('names and label sets are as Prometheus wants them, and small', () => {
  for (const { name, type, labels, help } of table) {
    expect(name, name).toMatch(type === 'counter' ? /_total$/ : /^(?!.*_total$)/);
    expect(Object.keys(labels).length, name).toBeLessThanOrEqual(3);
    expect(help, name).toMatch(/\.$/);
    for (const label of Object.keys(labels))
      expect(['namespace', 'name', 'key', 'workload', 'run', 'node', 'instance'], name).not.toContain(
        name === 'boathook_build_info' ? '' : label,
      );
  }
});

const ofProcess = async (): Promise<ReadonlySet<string>> => {
  const text = await createMetrics({ ofProcess: true }).text();
  return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
};

test('alerts and panels name only metrics and labels that exist', async () => {
  const process = await ofProcess();
  const expressions = [
    ...alerts().map(({ name, expr }) => [name, expr] as const),
    ...panels.flatMap((row) =>
      row.panels.flatMap(({ title, targets }) => targets.map(([, expr]) => [title, expr] as const)),
    ),
  ];
  expect(expressions.length).toBeGreaterThan(40);
  expect(
    expressions.flatMap(([where, expr]) =>
      unknownNames(expr, table, process).map((problem) => `${where}: ${problem}`),
    ),
  ).toEqual([]);
});

test('every metric is in a panel', () => {
  const text = JSON.stringify(panels);
  expect(table.filter(({ name }) => !new RegExp(`\\b${name}(_bucket)?\\b`).test(text))).toEqual([]);
});

test('legends and texts of alerts use labels of their expressions', () => {
  const labelsIn = (text: string, pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].map(([, label = '']) => label);
  for (const { name, expr, summary, description } of alerts())
    for (const label of labelsIn(summary + description, /\$labels\.(\w+)/g))
      expect(expr.includes(label) || hasLabel(expr, label), `${name}: ${label}`).toBe(true);
  for (const { panels: row } of panels)
    for (const { title, targets } of row)
      for (const [legend, expr] of targets)
        for (const label of labelsIn(legend, /\{\{(\w+)\}\}/g))
          expect(label === 'instance' || expr.includes(label), `${title}: ${label}`).toBe(true);
});

/** An expression without an aggregation keeps the labels of its metric. */
const hasLabel = (expr: string, label: string): boolean =>
  table.some(({ name, labels }) => expr.includes(name) && label in labels);

test('the guide explains every alert, and no other', () => {
  const page = readProjectFile('docs/guide/operate.md');
  const explained = [...page.matchAll(/^\| `(Boathook\w+)` \|/gm)].map(([, name = '']) => name);
  expect(explained).toEqual(alerts().map(({ name }) => name));
});

const one: MetricDescription = {
  type: 'counter',
  name: 'boathook_x_total',
  help: 'X.',
  labels: { outcome: 'good or bad' },
};

test.for([
  ['sum by (job, outcome) (rate(boathook_x_total{outcome="bad"}[5m]))', 0],
  ['boathook_y_total', 1],
  ['boathook_x_total{colour="red"}', 1],
  ['boathook_x_total{outcome="ugly"}', 1],
  ['boathook_x_total{outcome=~"good|ugly"}', 1],
  ['sum by (colour) (boathook_x_total)', 1],
  ['histogram_quantile(0.9, boathook_x_total_bucket)', 1],
] as const)('the guard of expressions bites: %s', ([expr, count]) => {
  expect(unknownNames(expr, [one])).toHaveLength(count);
});
