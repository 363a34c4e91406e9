import { listAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { hookRuns } from '#control/hook/resources.ts';
import { decideGate, type GateDecision } from '#decide/machine-objects/gate.ts';
import type { Gate } from '#decide/machine-objects/segments.ts';
import { pausesOf } from '#decide/machine-objects/status.ts';
import { Refused } from '#loop/owned/write.ts';
import { normal, warning } from '#loop/note.ts';
import { nameOf } from '#kube/object.ts';
import { clusters } from './resources.ts';
import type { PartEnd, Turn } from './turn.ts';

/** Asks HookTemplates and looks at their verdicts. It never waits: news of a HookRun brings the next turn. */
export async function runGates(turn: Turn, gates: readonly Gate[], signal: AbortSignal): Promise<PartEnd> {
  const decisions: GateDecision[] = [];
  for (const gate of gates) decisions.push(await runGate(turn, gate, signal));
  const held = decisions.flatMap(({ hold }) => (hold === undefined ? [] : [hold]));
  if (held.length === 0) {
    turn.pauses = undefined;
    return { type: 'passed' };
  }
  if (held.some(({ pause }) => pause === true)) await pause(turn, signal);
  const wakes = decisions.flatMap(({ wakeAt }) => (wakeAt === undefined ? [] : [wakeAt]));
  const first: Instant | undefined = wakes.toSorted((a, b) => a - b)[0];
  const [worst] = held.toSorted((a, b) => Number(b.isBad) - Number(a.isBad));
  const trouble = { reason: worst?.reason ?? '', message: worst?.message ?? '', isFailure: false };
  return { type: 'later', trouble, ...(first !== undefined && { at: first }) };
}

async function runGate(turn: Turn, gate: Gate, signal: AbortSignal): Promise<GateDecision> {
  const { deps, object, operation, wanted } = turn;
  const decision = decideGate({
    owner: object,
    operation: {
      id: operation.id,
      type: wanted.kind,
      ...(wanted.version !== undefined && { version: wanted.version }),
    },
    gate,
    before: turn.gates.get(gate.name),
    run: deps.run,
    template: deps.template,
    isPaused: turn.isPaused(),
    wasPausedByHook: isPausedByHook(turn),
    isRetried: turn.isRetried,
    now: deps.clock.now(),
  });
  noteGate(turn, gate, decision);
  if (decision.create !== undefined) {
    const made = await deps.client.create(hookRuns, decision.create, signal);
    // Made by an earlier turn that died before it could say so.
    if (made.type !== 'ok' && made.type !== 'exists') throw new Refused(made);
  }
  return decision;
}

function noteGate({ gates, holds, deps, object }: Turn, gate: Gate, { after, hold }: GateDecision): void {
  const before = gates.get(gate.name);
  if (after !== undefined) gates.set(gate.name, after);
  if (hold === undefined) holds.delete(gate.name);
  else holds.set(gate.name, hold);
  if (after?.state === 'Passed' && before?.state !== 'Passed')
    deps.events.record(
      object,
      normal('HookSucceeded', `${gate.hook} is passed (HookRun ${before?.run ?? ''}).`),
    );
  if (hold?.isBad === true) deps.events.record(object, warning('HookFailed', hold.message));
}

const isPausedByHook = ({ object }: Turn): boolean =>
  listAt(object, 'status', 'pauseConditions').some(
    (each) => textAt(each, 'reason') === 'PausedByStepBasedHook',
  );

/** The spec first: whoever sees why it is paused also sees that it is. */
async function pause(turn: Turn, signal: AbortSignal): Promise<void> {
  const { deps, subject } = turn;
  if (!isPausedByHook(turn)) turn.pauses = pausesOf('PausedByStepBasedHook', deps.clock.now());
  if (turn.isPaused()) return;
  const patch = { type: 'merge', body: { spec: { paused: true } } } as const;
  const outcome = await deps.client.patch(clusters, { name: nameOf(subject.cluster() ?? {}) }, patch, signal);
  if (outcome.type !== 'ok') throw new Refused(outcome);
  deps.newest.note(outcome.object);
}
