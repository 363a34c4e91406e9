import { later, minutes, type Instant } from '#base/time.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { decideGate, type HookGateDecision } from '#machines/decide/objects/gate.ts';
import type { SegmentEnd } from '#machines/decide/objects/operation-events.ts';
import { isPausedByHook } from '#machines/decide/objects/pauses.ts';
import type { Gate } from '#machines/decide/objects/segments.ts';
import { Refused } from '#loop/owned/write.ts';
import { normal } from '#loop/note.ts';
import { nameOf } from '#kube/object.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { deleteHookRun } from './delete-hook-runs.ts';
import type { OperationRun } from './operation-run.ts';

/** The pause after the server has refused to create a HookRun. */
const refusedPause = minutes(1);

/** Creates HookRuns and reads their verdicts. Does not wait: a change of a HookRun starts the next run. */
export async function runGates(
  run: OperationRun,
  gates: readonly Gate[],
  signal: AbortSignal,
): Promise<SegmentEnd> {
  const decisions: HookGateDecision[] = [];
  for (const gate of gates) decisions.push(await runGate(run, gate, signal));
  const held = decisions.flatMap(({ hold }) => (hold === undefined ? [] : [hold]));
  if (held.length === 0) return { type: 'passed' };
  if (held.some(({ pause }) => pause === true)) await pauseCluster(run, signal);
  const wakes = decisions.flatMap(({ wakeAt }) => (wakeAt === undefined ? [] : [wakeAt]));
  const first: Instant | undefined = wakes.toSorted((a, b) => a - b)[0];
  const [worst] = held.toSorted((a, b) => Number(b.isBad) - Number(a.isBad));
  const trouble = { reason: worst?.reason ?? '', message: worst?.message ?? '', isFailure: false };
  return { type: 'later', trouble, ...(first !== undefined && { wakeAt: first }) };
}

async function runGate(run: OperationRun, gate: Gate, signal: AbortSignal): Promise<HookGateDecision> {
  const { deps, object, state } = run;
  const { operation, wanted, isRetried } = state.about;
  const decided = decideGate({
    owner: object,
    operation: {
      id: operation.id,
      type: wanted.kind,
      ...(wanted.version !== undefined && { version: wanted.version }),
    },
    gate,
    before: state.gates.get(gate.name),
    run: deps.run,
    template: deps.template,
    isPaused: run.isPaused(),
    wasPausedByHook: isPausedByHook(state.pauses),
    isRetried,
    now: deps.clock.now(),
  });
  const decision = await createHookRun(run, gate, decided, signal);
  await run.dispatch({ type: 'gate-decided', gate, decision });
  return decision;
}

/** A HookRun that the server refuses holds the operation as a bad verdict does. */
async function createHookRun(
  { deps, object }: OperationRun,
  gate: Gate,
  decision: HookGateDecision,
  signal: AbortSignal,
): Promise<HookGateDecision> {
  const { create, outdated } = decision;
  if (create === undefined) return decision;
  const made = await deps.client.create(hookRuns, create, signal);
  // `exists`: an earlier run created it and ended before it wrote the status.
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
  if (old !== undefined) await deleteHookRun(deps, old, signal);
  return decision;
}

/** Writes the spec before the status, so that a status which explains the pause always has a paused spec. */
async function pauseCluster(run: OperationRun, signal: AbortSignal): Promise<void> {
  const { deps, subject } = run;
  await run.dispatch({ type: 'paused-by-hook' });
  if (run.isPaused()) return;
  const patch = { type: 'merge', body: { spec: { paused: true } } } as const;
  const outcome = await deps.client.patch(clusters, { name: nameOf(subject.cluster() ?? {}) }, patch, signal);
  if (outcome.type !== 'ok') throw new Refused(outcome);
  deps.newest.note(outcome.object);
}
