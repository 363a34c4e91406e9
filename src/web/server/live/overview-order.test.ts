import { expect, test } from 'vitest';
import type { OverviewRow } from '#web/wire/overview.ts';
import { inOrder } from './overview-order.ts';

const row = (key: string, given: Partial<OverviewRow> = {}): OverviewRow => ({
  key,
  kind: 'release',
  objectKind: 'GameDeployment',
  namespace: 'default',
  name: key,
  created: '2026-01-05T12:00:00Z',
  phase: 'Complete',
  reason: '',
  message: '',
  needsUser: false,
  isFailed: false,
  labels: {},
  ...given,
});

test('what needs a user comes first, then what failed, then the newest; old runs come last', () => {
  const rows = [
    row('run', { kind: 'hookrun', created: '2026-01-05T14:00:00Z' }),
    row('old'),
    row('new', { created: '2026-01-05T13:00:00Z' }),
    row('failed run', { kind: 'hookrun', isFailed: true }),
    row('waits', { needsUser: true }),
    row('also old'),
  ];
  expect(inOrder(rows).map(({ key }) => key)).toEqual([
    'waits',
    'failed run',
    'new',
    'also old',
    'old',
    'run',
  ]);
});
