import type {
  OperationCommand,
  OperationEvent,
  OperationPause,
} from '#machines/decide/objects/operation-events.ts';
import { until } from '#loop/owned/until.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import type { Clock } from '#base/time.ts';
import { deleteHookRuns } from './delete-hook-runs.ts';
import { makePlan } from './make-plan.ts';
import type { OperationRun } from './operation-run.ts';
import { runGates } from './run-gates.ts';
import { runStages } from './run-stages.ts';

/** Runs an operation from where it is to its end, or until it must wait. */
export async function runOperation(run: OperationRun, signal: AbortSignal): Promise<Next> {
  const stop = (): void => run.signals.stop(run.deps.clock);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    let commands = await run.dispatch({ type: 'started' });
    for (let command = commands[0]; command !== undefined; command = commands[0]) {
      if (command.type === 'stop') return nextOf(run.deps.clock, command.pause);
      const event = await perform(run, command, signal);
      commands = event === undefined ? commands.slice(1) : await run.dispatch(event);
    }
    return settled;
  } finally {
    run.writer.close();
    signal.removeEventListener('abort', stop);
  }
}

const nextOf = (clock: Clock, pause: OperationPause): Next =>
  pause.type === 'for' ? wake(pause.span) : until(clock, pause.at);

async function perform(
  run: OperationRun,
  command: Exclude<OperationCommand, { type: 'stop' }>,
  signal: AbortSignal,
): Promise<OperationEvent | undefined> {
  const { deps, subject, object, writer, state } = run;
  const { wanted } = state.about;
  switch (command.type) {
    case 'plan':
      return plan(run, signal);
    case 'delete-hook-runs':
      await deleteHookRuns(deps, object, signal);
      return undefined;
    case 'claim':
      return { type: (await writer.claim()) ? 'claimed' : 'lost' };
    case 'run-gates':
      return { type: 'segment-ended', end: await runGates(run, command.gates, signal) };
    case 'run-stages':
      return { type: 'segment-ended', end: await runStages(run, command.index) };
    case 'complete':
      return {
        type: 'completed',
        changes: await subject.finished(wanted, command.plan.planned, signal),
      };
    case 'save':
      return save(run);
    case 'leave':
      return leave(run);
  }
}

async function plan(run: OperationRun, signal: AbortSignal): Promise<OperationEvent> {
  const made = await makePlan(run.deps, run.subject, run.state.about.wanted, signal);
  return made.type === 'planned' ? made : { ...made, isForced: run.isForced() };
}

async function leave(run: OperationRun): Promise<OperationEvent> {
  // A result that is not written is found on its machine: so this may fail.
  if (!run.writer.isLost) await run.writer.flush().catch(() => undefined);
  return { type: 'left', isChanged: run.signals.cancel.aborted || run.isPaused() || run.isChanged() };
}

/** Lost: another controller has the object by now, and finds on the machines what is not written. */
async function save({ writer }: OperationRun): Promise<OperationEvent> {
  try {
    await writer.flush();
    return { type: 'saved' };
  } catch (error) {
    if (writer.isLost) return { type: 'lost' };
    throw error;
  }
}
