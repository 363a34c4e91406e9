import { expect, test } from 'vitest';
import type { Metric } from '#hooks/kinds/metric.ts';
import { judgeMachines } from './judge-machines.ts';

const metric = (more: Partial<Metric>): Metric => ({
  name: 'm',
  provider: { machine: { cluster: 'c', script: '/s' } },
  ...more,
});
const good = { successCondition: 'asInt(result) < 90' };
const both = { ...good, failureCondition: 'asInt(result) > 95' };
const results = (...lines: readonly string[]) => lines.map((line, at) => ({ node: `n${at + 1}`, line }));

test.for([
  ['all are good', good, ['1', '2'], 'Successful', undefined],
  ['one is bad', good, ['1', '95', '99'], 'Failed', /^n2, n3: /],
  ['one is undecided', both, ['1', '93'], 'Inconclusive', /^n2: neither/],
  ['one is bad and one undecided', both, ['93', '99'], 'Failed', /^n2: /],
  ['one returns no number', good, ['99', 'full'], 'Error', /^n2: /],
  ['without a condition', {}, ['', 'x'], 'Successful', undefined],
] as const)('the worst machine counts: %s', ([, conditions, lines, phase, message]) => {
  const judged = judgeMachines(metric(conditions), results(...lines));
  expect(judged).toMatchObject({ phase, value: lines.map((line, at) => `n${at + 1}: ${line}`).join('\n') });
  if (message === undefined) expect(judged).not.toHaveProperty('message');
  else expect(judged.message).toMatch(message);
});
