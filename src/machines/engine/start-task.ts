import type { NextAction } from '#machines/decide/next-actions.ts';
import type { JobStep, PlanStep as Step } from '#machines/decide/plan.ts';
import type { TaskOutcome as Outcome } from '#machines/decide/progress.ts';
import { noteResult, type Desk } from './desk.ts';
import type { Hand } from './hands.ts';
import { runJobTask } from './run-job-task.ts';
import { runSimply } from './run-task.ts';

export type Running = {
  readonly step: string;
  readonly attempt: number;
  readonly hand: Hand;
  readonly isJob: boolean;
  /** Ends what is no job yet: files on their way. */
  readonly stop: AbortController;
  readonly ended: Promise<void>;
};

type Floor = {
  readonly hands: ReadonlyMap<string, Hand>;
  readonly running: Set<Running>;
  readonly hurry: AbortController;
  readonly isTaken: () => string | undefined;
  readonly wake: () => void;
};

/** Begins what was decided; that it has begun is noted at once, so that it is not decided again. */
export function startTask(desk: Desk, floor: Floor, { type, step, target, attempt }: NextAction): void {
  const { node } = target;
  const task = { step, node, attempt };
  const begun = desk.note({ type: type === 'ask' ? 'asked' : 'staging', step: step.id, node, attempt });
  const state = type === 'ask' ? 'Launched' : 'Staging';
  desk.tell({ type: 'task', step: step.id, title: step.title, node, state, attempt });
  const hand = floor.hands.get(node);
  if (hand === undefined) throw new Error(`${node} was never connected.`);
  const isJob = isJobStep(step);
  const { stop, release } = stoppedBy(floor.hurry.signal);
  const work = async (): Promise<void> => {
    await begun;
    const outcome = await (
      isJobStep(step)
        ? runJobTask(
            desk,
            { step, target, attempt, asks: type === 'ask', stop: stop.signal },
            hand,
            floor.hurry.signal,
          )
        : runSimply(desk, step, hand, stop.signal)
    ).catch((error: unknown) => brokenOff(error, stop.signal, node));
    // What a new operator has taken over is for it to write down.
    if (floor.isTaken() !== undefined) return;
    await noteResult(desk, task, outcome, isJob ? desk.doors.logFile({ ...task, step: step.id }) : undefined);
  };
  const running: Running = { step: step.id, attempt, hand, isJob, stop, ended: work() };
  floor.running.add(running);
  const end = (): void => {
    floor.running.delete(running);
    release();
    floor.wake();
  };
  running.ended.then(end, end);
}

const isJobStep = (step: Step): step is JobStep => step.kind === 'hook' || step.kind === 'install';

/** A controller that is aborted with another's signal; `release` when it is not needed any more. */
function stoppedBy(signal: AbortSignal): { readonly stop: AbortController; readonly release: () => void } {
  const stop = new AbortController();
  const pass = (): void => stop.abort(signal.reason);
  if (signal.aborted) pass();
  signal.addEventListener('abort', pass);
  return { stop, release: () => signal.removeEventListener('abort', pass) };
}

function brokenOff(error: unknown, stop: AbortSignal, node: string): Outcome {
  if (stop.aborted) return { type: 'cancelled', message: `${node}: broken off.` };
  return { type: 'failed', message: `${node}: ${error instanceof Error ? error.message : String(error)}` };
}
