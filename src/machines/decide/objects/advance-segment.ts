import type { Instant } from '#base/time.ts';
import { advance, type JournalRecord } from '#machines/decide/progress.ts';
import type { HookGateDecision } from './gate.ts';
import { gateNotes } from './gate-notes.ts';
import type { OperationEffect, SegmentEvent } from './operation-events.ts';
import type { OperationRunState } from './operation-state.ts';
import { isPausedByHook } from './pauses.ts';
import type { Gate } from './segments.ts';
import { pausesOf } from './status.ts';

export type OperationAdvance = {
  readonly state: OperationRunState;
  readonly effects: readonly OperationEffect[];
};

/** The next state of a run while a segment of its plan is worked on. */
export function advanceSegment(
  state: OperationRunState,
  event: SegmentEvent,
  now: Instant,
): OperationAdvance {
  switch (event.type) {
    case 'recorded':
      return recorded(state, event.record);
    case 'host-key-seen':
      return {
        state: { ...state, hostKeys: new Map([...state.hostKeys, [event.host, event.key]]) },
        effects: [{ type: 'touch' }],
      };
    case 'gate-decided':
      return gateDecided(state, event.gate, event.decision);
    case 'paused-by-hook': {
      const pauses = isPausedByHook(state.pauses) ? state.pauses : pausesOf('PausedByStepBasedHook', now);
      return { state: { ...state, pauses }, effects: [] };
    }
  }
}

/** An intent is written before its job starts, the end before the jobs are deleted. Results can be found again. */
function recorded(state: OperationRunState, record: JournalRecord): OperationAdvance {
  const next = {
    ...state,
    progress: advance(state.progress, record),
    records: [...state.records, record],
  };
  if (record.type === 'intent' || record.type === 'closed')
    return { state: next, effects: [{ type: 'flush' }] };
  return { state: next, effects: record.type === 'result' ? [{ type: 'touch' }] : [] };
}

function gateDecided(state: OperationRunState, gate: Gate, decision: HookGateDecision): OperationAdvance {
  const { after, hold } = decision;
  const notes = gateNotes(gate, state.gates.get(gate.name), decision);
  const gates = after === undefined ? state.gates : new Map([...state.gates, [gate.name, after]]);
  const others = [...state.holds].filter(([name]) => name !== gate.name);
  const holds = new Map(hold === undefined ? others : [...others, [gate.name, hold] as const]);
  return {
    state: { ...state, gates, holds },
    effects: notes.map((each) => ({ type: 'note', note: each })),
  };
}
