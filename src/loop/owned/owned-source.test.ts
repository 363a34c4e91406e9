import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { withMeta } from '#kube/object.ts';
import { podOf, workloadOf } from '#kube/workload/testing/objects.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import type { Delta } from '#loop/delta.ts';
import { createExpectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { ownedSource } from './owned.ts';

const owner = workloadOf('ReplicaSet', 'rs', { selector: { matchLabels: { app: 'x' } } });
const other = workloadOf('ReplicaSet', 'other', { selector: { matchLabels: { app: 'x' } } });
const key = 'default/rs';
const mine = podOf({ name: 'p', owner });
const orphan = podOf({ name: 'p' });
const going = (pod: KubeObject): KubeObject => withMeta(pod, { deletionTimestamp: '2026-01-05T12:00:00Z' });

/** Which keys are reconciled, and how long the owner waits, after it has deleted its pod. */
function after(...deltas: readonly Delta[]): readonly unknown[] {
  const seen = createExpectations(manualClock(0));
  const informer = { addIndexes: () => undefined, byIndex: () => [] } as unknown as Informer;
  const source = ownedSource(informer, 'ReplicaSet', informer, seen);
  seen.expectDeletions(key, ['uid-p']);
  return [deltas.map((delta) => [...source.keysOf(delta)]), seen.pending(key) === 0];
}

test.for<{ name: string; deltas: readonly Delta[]; keys: readonly string[][] }>([
  { name: 'it is deleted', deltas: [{ type: 'deleted', object: mine }], keys: [[key]] },
  {
    name: 'it is marked',
    deltas: [{ type: 'updated', old: mine, object: going(mine) }],
    keys: [[key]],
  },
  {
    name: 'it was made an orphan',
    deltas: [{ type: 'updated', old: mine, object: orphan }],
    keys: [[key]],
  },
  {
    name: 'it has another owner',
    deltas: [{ type: 'updated', old: mine, object: podOf({ name: 'p', owner: other }) }],
    keys: [['default/other', key]],
  },
  {
    name: 'an orphan is marked, that was its own when it was deleted',
    deltas: [{ type: 'updated', old: orphan, object: going(orphan) }],
    keys: [[key]],
  },
  { name: 'an orphan is deleted', deltas: [{ type: 'deleted', object: orphan }], keys: [[key]] },
])('the owner waits for its deletion no more when $name', ({ deltas, keys }) => {
  expect(after(...deltas)).toEqual([keys, true]);
});

test('and waits while nothing of that is seen', () => {
  const updated: Delta = { type: 'updated', old: mine, object: mine };
  const stranger: Delta = { type: 'deleted', object: podOf({ name: 'q' }) };
  expect(after(updated, stranger)).toEqual([[[key], []], false]);
});
