import { expect, test } from 'vitest';
import { stepTitle } from './step-titles.ts';

test.for([
  ['m1/upgrade/drain/m1', 'm1', 'drain'],
  ['m2/upgrade/drain/m2', 'm1', 'drain of m2'],
  ['m1/node-pre/PreUpgrade', 'm1', 'PreUpgrade'],
  ['all/upgrade/drain/elsewhere', 'm1', 'drain'],
] as const)('%s on %s is %s', ([id, node, title]) => {
  expect(stepTitle({ id, title: title.split(' ')[0] ?? '' }, node, ['m1', 'm2'])).toBe(title);
});
