import { formatTime, seconds, type Instant } from '#base/time.ts';
import { runPlan } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { SegmentEnd } from '#machines/decide/objects/operation-events.ts';
import { progressNote } from '#machines/decide/objects/progress-notes.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import { nameOf } from '#kube/object.ts';
import { engineIo } from './engine-io.ts';
import { makePlan } from './make-plan.ts';
import { operationHostKeys } from './operation-host-keys.ts';
import type { OperationRun } from './operation-run.ts';
import { segmentEnd } from './segment-end.ts';

/** The run keeps its connections during a pause of at most this length. */
const shortPause = seconds(10);
/** The limit is short: the status reports a lost machine, and further tries follow with growing pauses. */
const reconnecting = seconds(20);
const leaseTouch = seconds(10);
const leaseStale = seconds(30);

/** Runs the stages of a segment in the engine, when a connection slot is free. */
export async function runStages(run: OperationRun, index: number): Promise<SegmentEnd> {
  const segment = run.state.plan?.planned.segments[index];
  if (segment?.type !== 'stages') return passed;
  if (verdictOf(segment.plan, run.state.progress).state === 'Succeeded') return passed;
  if (run.isPaused()) return paused;
  const { slots } = run.deps;
  const taken = await slots.take(AbortSignal.any([run.signals.leave, run.signals.cancel]));
  if (taken === undefined) return { type: 'left' };
  try {
    return await (taken === 'at once' ? runConnected(run, index, segment.plan) : replanned(run, index));
  } finally {
    slots.release();
  }
}

const passed: SegmentEnd = { type: 'passed' };

const paused: SegmentEnd = {
  type: 'later',
  trouble: {
    reason: 'Paused',
    message: 'Paused: set spec.paused to false to resume.',
    isFailure: false,
  },
};

/** Files may have changed while the run waited for its slot. */
async function replanned(run: OperationRun, index: number): Promise<SegmentEnd> {
  const { deps, subject, state } = run;
  const made = await makePlan(deps, subject, state.about.wanted, run.signals.leave);
  if (made.type === 'refused') {
    await run.dispatch({ ...made, isForced: run.isForced() });
    const { trouble } = run.state;
    return { type: 'later', ...(trouble !== undefined && { trouble }) };
  }
  await run.dispatch(made);
  const segment = made.plan.planned.segments[index];
  return segment?.type === 'stages' ? runConnected(run, index, segment.plan) : { type: 'left' };
}

async function runConnected(run: OperationRun, index: number, plan: MachinePlan): Promise<SegmentEnd> {
  const blocked: { until?: Instant } = {};
  const { deps, subject, state } = run;
  const { io, clock } = deps;
  const { operation, wanted } = state.about;
  const about = { cluster: nameOf(subject.cluster() ?? {}), operation: operation.id };
  const machines = await io.open(about, operationHostKeys(run));
  const stop = new AbortController();
  const emit = (event: ProgressEvent): void => {
    recordEvent(run, event);
    if (event.type !== 'operation' || event.state !== 'Blocked' || event.wakeAt === undefined) return;
    if (event.wakeAt - clock.now() <= shortPause) return;
    blocked.until = event.wakeAt;
    stop.abort(new Error('the next try is far away'));
  };
  const yieldSlot = (): void => stop.abort(new Error('other operations wait for a connection slot'));
  const endChecks = deps.slots.share(clock, () => run.state.progress, yieldSlot);
  try {
    const end = await runPlan(
      {
        id: operation.id,
        plan,
        whole: state.plan?.planned.plan,
        nodes: new Map(state.plan?.planned.declaration.cluster.nodes.map((node) => [node.name, node])),
        records: state.records,
        holder: `${io.holder} ${formatTime(clock.now())} ${wanted.kind}`,
        leaseTouch,
        leaseStale,
        patience: reconnecting,
        leave: AbortSignal.any([run.signals.leave, stop.signal]),
      },
      engineIo(run, index, { machines, emit }),
      run.signals.cancel,
    );
    return segmentEnd(run, end, blocked.until);
  } finally {
    endChecks();
    machines.close();
    io.logsEnded(about);
  }
}

function recordEvent(run: OperationRun, event: ProgressEvent): void {
  const { plan, progress } = run.state;
  const view = { plan: plan?.planned.plan, progress, isStuck: run.isStuck() };
  const note = progressNote(view, event);
  if (note !== undefined) run.deps.events.record(run.object, note);
}
