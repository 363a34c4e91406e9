import { expect, test } from 'vitest';
import { instant, later, seconds } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { advanceOperation } from './advance-operation.ts';
import type { WantedOperation } from './due.ts';
import type { OperationEffect, OperationEvent } from './operation-events.ts';
import { startOperation, type OperationPlan, type OperationRunState } from './operation-state.ts';
import type { Segment } from './segments.ts';

const now = instant(1_700_000_000_000);
const create: WantedOperation = { kind: 'cluster.create', nodes: [] };
const remove: WantedOperation = { kind: 'cluster.delete', nodes: [] };

const start = (
  wanted: WantedOperation,
  status: KubeObject = {},
  metadata: KubeObject = {},
): OperationRunState =>
  startOperation(
    {
      object: { metadata: { name: 'one', ...metadata }, status },
      wanted,
      isCluster: true,
      generation: 1,
      isEdited: false,
      holder: 'this process',
      tag: 'abcdef',
    },
    now,
  );

const planWith = (...segments: readonly Segment[]): OperationPlan =>
  ({ planned: { segments }, prepared: {} }) as never;
const stages: Segment = { type: 'stages', plan: {} as never };
const gates: Segment = { type: 'gates', gates: [] };

/** The state after these events, and the effects of each, by type. */
function after(
  state: OperationRunState,
  ...events: readonly OperationEvent[]
): { readonly state: OperationRunState; readonly effects: readonly string[] } {
  return events.reduce<{ state: OperationRunState; effects: readonly string[] }>(
    (known, event) => {
      const next = advanceOperation(known.state, event, now);
      return { state: next.state, effects: [...known.effects, ...next.effects.map(textOf)] };
    },
    { state, effects: [] },
  );
}

function textOf(effect: OperationEffect): string {
  if (effect.type === 'note') return effect.note.reason;
  if (effect.type !== 'stop') return effect.type;
  const { pause } = effect;
  if (pause.type === 'for') return `stop for ${pause.span} ms`;
  return pause.at === undefined ? 'stop' : `stop for ${pause.at - now} ms, or until a change`;
}

const started: OperationEvent = { type: 'started' };
const claimed: OperationEvent = { type: 'claimed' };
const saved: OperationEvent = { type: 'saved' };
const passed: OperationEvent = { type: 'segment-ended', end: { type: 'passed' } };
const planned = (...segments: readonly Segment[]): OperationEvent => ({
  type: 'planned',
  plan: planWith(...segments),
});
const refused = (isForced: boolean): OperationEvent => ({
  type: 'refused',
  problems: [{ origin: { file: '', pointer: '/spec/version' }, message: 'is missing' }],
  isForced,
});

test('an operation is planned, claimed, worked on segment by segment, and completed', () => {
  const { state, effects } = after(
    start(create),
    started,
    planned(stages, gates),
    claimed,
    passed,
    passed,
    { type: 'completed', changes: { version: '1.2.3' } },
    saved,
  );
  expect(effects).toEqual([
    'plan',
    'delete-hook-runs',
    'claim',
    'Started',
    'run-stages',
    'run-gates',
    'complete',
    'save',
    'Completed',
    'stop for 10 ms',
  ]);
  expect(state.stage).toEqual({ type: 'ended', changes: { version: '1.2.3' }, isForced: false });
});

test('a status that another controller has written meanwhile ends the run', () => {
  const { effects } = after(start(create), started, planned(stages), { type: 'lost' });
  expect(effects.at(-1)).toBe('stop for 1000 ms');
});

test('an operation that another process began is not claimed before the machines are locked', () => {
  const operation = { id: 'x', type: 'cluster.create', holder: 'another process' };
  const { effects } = after(start(create, { operation }), started, planned(stages));
  expect(effects).toEqual(['plan', 'run-stages']);
});

test('a spec that allows no plan is tried again with growing pauses', () => {
  const first = after(start(create), started, refused(false), claimed);
  expect(first.effects).toEqual([
    'plan',
    'InvalidSpec',
    'delete-hook-runs',
    'claim',
    'stop for 1000 ms, or until a change',
  ]);
  expect(first.state).toMatchObject({ stage: { type: 'refused' }, failures: 1 });
  const operation = { id: 'x', type: 'cluster.create', failures: 3, observedGeneration: 1 };
  const fourth = after(start(create, { operation }), started, refused(false), claimed);
  expect(fourth.state).toMatchObject({ failures: 4, retryAt: later(now, seconds(8)) });
});

test('a deletion that allows no plan names forceDelete; with forceDelete it ends without its hooks', () => {
  const deleting = start(remove, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  const stuck = after(deleting, started, refused(false), claimed);
  expect(stuck.state.trouble?.message).toContain('set spec.forceDelete to true');
  const forced = after(deleting, started, refused(true), claimed, saved);
  expect(forced.effects.slice(-3)).toEqual(['Forced', 'save', 'stop for 10 ms']);
  expect(forced.state.stage).toEqual({ type: 'ended', changes: { machines: [] }, isForced: true });
});

test('a run waits until its next try, or until its next look', () => {
  const working = after(start(create), started, planned(stages), claimed).state;
  const soon = later(now, seconds(5));
  const held = after(working, { type: 'segment-ended', end: { type: 'later', at: soon } }, saved);
  expect(held.effects).toEqual(['save', 'stop for 5000 ms, or until a change']);
  expect(held.state).toMatchObject({ stage: { type: 'waiting' }, retryAt: soon });
  const gate = after(working, { type: 'segment-ended', end: { type: 'later', wakeAt: soon } }, saved);
  expect(gate.state).toMatchObject({ stage: { type: 'waiting', until: soon }, retryAt: undefined });
});

test('before the time of the next try nothing is done', () => {
  const retryAt = '2023-11-14T22:13:30Z';
  const operation = { id: 'x', type: 'cluster.create', failures: 1, observedGeneration: 1, retryAt };
  expect(after(start(create, { operation }), started).effects).toEqual([
    'stop for 10000 ms, or until a change',
  ]);
});

test('a next try that is further away than any pause was noted by another clock, and is made now', () => {
  const waits = (span: number): readonly string[] => {
    const retryAt = new Date(now + span * 1000).toISOString();
    const operation = { id: 'x', type: 'cluster.create', failures: 9, observedGeneration: 1, retryAt };
    return after(start(create, { operation }), started).effects;
  };
  expect(waits(300)).toEqual(['stop for 300000 ms, or until a change']);
  expect(waits(301)).toEqual(['plan']);
  expect(waits(86_400)).toEqual(['plan']);
});

test('an intent is written before its job starts; a result may be written later', () => {
  const working = after(start(create), started, planned(stages), claimed).state;
  const task = { at: now, step: 's', node: 'n', attempt: 1 };
  const intent = after(working, {
    type: 'recorded',
    record: { type: 'intent', ...task, fingerprint: 'f' },
  });
  expect(intent.effects).toEqual(['flush']);
  const outcome = { type: 'succeeded' } as const;
  const result = after(intent.state, { type: 'recorded', record: { type: 'result', ...task, outcome } });
  expect(result.effects).toEqual(['touch']);
  expect(result.state.progress.tasks.get('s@n')?.state).toBe('Succeeded');
});

test('another plan while a segment is worked on changes nothing else', () => {
  const working = after(start(create), started, planned(stages), claimed).state;
  const plan = planWith(gates);
  const { state, effects } = after(working, { type: 'planned', plan });
  expect(effects).toEqual([]);
  expect(state).toEqual({ ...working, plan });
});

test('machines that another controller has locked are left to it', () => {
  const working = after(start(create), started, planned(stages), claimed).state;
  const end = { type: 'elsewhere', at: later(now, seconds(10)) } as const;
  const { state, effects } = after(working, { type: 'segment-ended', end });
  expect(effects).toEqual(['stop for 10000 ms, or until a change']);
  expect(state.stage).toEqual({ type: 'elsewhere' });
});
