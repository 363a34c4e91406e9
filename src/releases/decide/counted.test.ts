import { expect, test } from 'vitest';
import type { ReleaseAction } from '#releases/model/action.ts';
import { counted, withoutCounted } from './counted.ts';
import type { Decision } from './snapshot.ts';

const pod = { metadata: { name: 'a' } };
const mark: ReleaseAction = {
  type: 'patch-pod',
  pod,
  patch: { metadata: { annotations: { leaving: 'x' } } },
};
const ask: ReleaseAction = { type: 'create-run', run: { metadata: { name: 'predelete-a' } } };
const note = { type: 'Normal', reason: 'WaitingForPreDeleteHook', message: 'The pod is kept' } as const;

const decisionOf = (actions: readonly ReleaseAction[], notes: Decision['notes'] = []): Decision =>
  ({ actions, notes }) as Partial<Decision> as Decision;

test('what chooses a pod by numbers waits: its annotation, its HookRun and its event', () => {
  const { actions = [], notes = [] } = counted({ actions: [mark, ask], notes: [note] });
  expect(withoutCounted(decisionOf(actions, notes))).toEqual({ actions: [], notes: [] });
});

test('the creation and deletion of pods and in-place updates wait', () => {
  const waiting: readonly ReleaseAction[] = [
    { type: 'create-pods', revision: {}, count: 1 },
    { type: 'create-pod', pod, claims: [] },
    { type: 'delete-pod', pod, event: 'Delete' },
    { type: 'begin-in-place', pod, patch: {} },
  ];
  expect(withoutCounted(decisionOf(waiting)).actions).toEqual([]);
});

test('what does not depend on numbers is applied: finalizers, gates, HookRuns of steps, events', () => {
  const gate: ReleaseAction = { type: 'set-gate', pod, isOpen: true, reason: 'Updated' };
  const decision = decisionOf([mark, ask, gate], [note]);
  expect(withoutCounted(decision)).toEqual(decision);
});
