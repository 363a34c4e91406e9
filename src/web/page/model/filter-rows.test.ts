import { expect, test } from 'vitest';
import type { OverviewRow } from '#web/wire/overview.ts';
import { countPhases, filterRows, noFilter, sortRows } from './filter-rows.ts';

const row = (name: string, change: Partial<OverviewRow> = {}): OverviewRow => ({
  key: name,
  kind: 'release',
  objectKind: 'GameDeployment',
  namespace: 'shop',
  name,
  created: `2026-11-16T00:00:0${name.length}Z`,
  phase: 'Complete',
  reason: '',
  message: '',
  needsUser: false,
  isFailed: false,
  labels: { app: name },
  ...change,
});

const rows = [
  row('web'),
  row('cart', { namespace: 'test', phase: 'Paused', needsUser: true, images: ['nginx:1.27'] }),
  row('check-1', { kind: 'hookrun', objectKind: 'HookRun', phase: 'Failed', isFailed: true }),
];

test.for([
  [{}, ['web', 'cart', 'check-1']],
  [{ text: 'WEB' }, ['web']],
  [{ text: 'nginx' }, ['cart']],
  [{ text: 'app=cart paused' }, ['cart']],
  [{ text: 'app=cart failed' }, []],
  [{ namespace: 'shop' }, ['web', 'check-1']],
  [{ kind: 'hookrun' }, ['check-1']],
  [{ phase: 'Paused' }, ['cart']],
] as const)('%j finds %j', ([filter, names]) =>
  expect(filterRows(rows, { ...noFilter, ...filter }).map(({ name }) => name)).toEqual(names),
);

test('what needs a user is first, then failures, then the newest', () => {
  const sorted = sortRows([row('a'), row('bbb'), ...rows]).map(({ name }) => name);
  expect(sorted).toEqual(['cart', 'check-1', 'bbb', 'web', 'a']);
});

test('phases are counted, the largest first', () => {
  expect(countPhases([...rows, row('x')])).toEqual([
    { phase: 'Complete', count: 2 },
    { phase: 'Failed', count: 1 },
    { phase: 'Paused', count: 1 },
  ]);
});
