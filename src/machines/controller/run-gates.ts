import type { GateStatus } from '#machines/kinds/operation-status.ts';
import { listAt } from '#base/json.ts';
import { later, minutes, type Instant } from '#base/time.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { decideGate, type GateDecision } from '#machines/decide/objects/gate.ts';
import { isPausedByHook } from '#machines/decide/objects/pauses.ts';
import type { Gate } from '#machines/decide/objects/segments.ts';
import { pausesOf } from '#machines/decide/objects/status.ts';
import { isOver } from '#hooks/decide/run-phase.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import { normal, warning } from '#loop/note.ts';
import { reasonOf } from '#loop/report.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { clusters } from '#machines/kinds/resources.ts';
import type { PartEnd, Turn } from './turn.ts';
import type { TurnDeps } from './turn-deps.ts';

/** A server that refuses a HookRun is asked again after this. */
const refusedPause = minutes(1);

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
  return { type: 'later', trouble, ...(first !== undefined && { wakeAt: first }) };
}

/** Questions of an operation that something else was wanted instead of: nobody waits for their verdicts. */
export async function endQuestions(
  deps: Pick<TurnDeps, 'client' | 'run' | 'report'>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const gates = listAt(object, 'status', 'operation', 'gates') as unknown as readonly GateStatus[];
  for (const { state, namespace = '', run: name = '' } of gates) {
    const found = state === 'Asked' ? deps.run(namespace, name) : undefined;
    if (found !== undefined && !isOver(found)) await forget(deps, found, signal);
  }
}

/** Nothing waits for it: a HookRun that stays goes with its owner. */
async function forget(
  { client, report }: Pick<TurnDeps, 'client' | 'report'>,
  run: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await removeObject(client, hookRuns, run, signal);
  } catch (error) {
    signal.throwIfAborted();
    report('a HookRun could not be removed', { run: nameOf(run), why: reasonOf(error) });
  }
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
    wasPausedByHook: isPausedByHook(turn.pauses),
    isRetried: turn.isRetried,
    now: deps.clock.now(),
  });
  const done = await ask(turn, gate, decision, signal);
  noteGate(turn, gate, done);
  return done;
}

/** Makes the HookRun; what the server has against it holds the operation as a bad verdict would. */
async function ask(
  { deps, object }: Turn,
  gate: Gate,
  decision: GateDecision,
  signal: AbortSignal,
): Promise<GateDecision> {
  const { create, outdated } = decision;
  if (create === undefined) return decision;
  const made = await deps.client.create(hookRuns, create, signal);
  // Made by an earlier turn that died before it could say so.
  if (made.type !== 'ok' && made.type !== 'exists') {
    const message = `${gate.hook}: its HookRun is refused: ${made.message}`.slice(0, 1024);
    return {
      after: undefined,
      hold: { reason: 'HookRunRefused', message, isBad: true },
      wakeAt: later(deps.clock.now(), refusedPause),
    };
  }
  if (made.type === 'ok')
    deps.events.record(object, normal('HookAsked', `${gate.hook} waits for HookRun ${nameOf(create)}.`));
  const old = outdated === undefined ? undefined : deps.run(outdated.namespace, outdated.name);
  if (old !== undefined) await forget(deps, old, signal);
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

/** The spec first: whoever sees why it is paused also sees that it is. */
async function pause(turn: Turn, signal: AbortSignal): Promise<void> {
  const { deps, subject } = turn;
  if (!isPausedByHook(turn.pauses)) turn.pauses = pausesOf('PausedByStepBasedHook', deps.clock.now());
  if (turn.isPaused()) return;
  const patch = { type: 'merge', body: { spec: { paused: true } } } as const;
  const outcome = await deps.client.patch(clusters, { name: nameOf(subject.cluster() ?? {}) }, patch, signal);
  if (outcome.type !== 'ok') throw new Refused(outcome);
  deps.newest.note(outcome.object);
}
