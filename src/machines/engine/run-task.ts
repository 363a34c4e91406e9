import type {
  FetchStep,
  FilesStep,
  RemoveStep,
  PlanStep as Step,
  TaskTarget as Target,
} from '#machines/decide/plan.ts';
import { stepsOf } from '#machines/decide/plan.ts';
import type { TaskOutcome as Outcome } from '#machines/decide/progress.ts';
import type { Delivered, Delivery } from '#edge/ssh/deliver.ts';
import { copyProgress } from './copy-progress.ts';
import type { Desk } from './desk.ts';
import type { Hand } from './hands.ts';

/** Everything but jobs: what is simply done again after an interruption. */
export async function runSimply(
  desk: Desk,
  step: FilesStep | RemoveStep | FetchStep,
  hand: Hand,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await once(desk, step, hand, signal);
  if (outcome.type !== 'unreachable') return outcome;
  const trouble = await hand.again(signal);
  return trouble === undefined
    ? once(desk, step, hand, signal)
    : { ...outcome, message: `${hand.node}: ${trouble}` };
}

async function once(
  desk: Desk,
  step: FilesStep | RemoveStep | FetchStep,
  hand: Hand,
  signal: AbortSignal,
): Promise<Outcome> {
  const machine = hand.machine();
  if (step.kind === 'files') {
    const told = copyProgress(desk, step.id, hand.node);
    return deliveredOutcome(hand, await machine.deliver(deliveriesOf(step), signal, told));
  }
  if (step.kind === 'remove') {
    const done = await machine.remove(step.paths, signal);
    return done.type === 'done' ? { type: 'succeeded' } : troubleOutcome(hand, done);
  }
  const fetched = await machine.fetch(step.path, signal);
  const isAbsent = fetched.type === 'failed' && step.optional === true;
  if (fetched.type !== 'fetched' && !isAbsent) return troubleOutcome(hand, fetched);
  const content = fetched.type === 'fetched' ? fetched.content : new Uint8Array();
  await desk.doors.artifacts.write(step.artifact, content);
  return { type: 'succeeded' };
}

/** The files of the plan for a node once more: a script may have been mended between two attempts. */
export async function deliverAgain(desk: Desk, hand: Hand, signal: AbortSignal): Promise<Outcome> {
  const files = stepsOf(desk.plan).flatMap((step: Step) =>
    step.kind === 'files' && step.targets.some(({ node }: Target) => node === hand.node)
      ? deliveriesOf(step)
      : [],
  );
  if (files.length === 0) return { type: 'succeeded' };
  return deliveredOutcome(hand, await hand.machine().deliver(files, signal));
}

const deliveriesOf = ({ files }: FilesStep): readonly Delivery[] =>
  files.map(({ src, dst, digest, size, mode }) => ({
    source: src,
    path: dst,
    digest: digest.replace(/^sha256:/, ''),
    size,
    mode,
  }));

export const deliveredOutcome = (hand: Hand, delivered: Delivered): Outcome =>
  delivered.type === 'delivered'
    ? { type: 'succeeded', changed: delivered.sent.length > 0 }
    : troubleOutcome(hand, delivered);

const troubleOutcome = (
  { node }: Hand,
  {
    type,
    message,
    permanent,
  }: {
    readonly type: 'failed' | 'disconnected';
    readonly message: string;
    readonly permanent?: true;
  },
): Outcome =>
  type === 'failed'
    ? { type: 'failed', message: `${node}: ${message}`, ...(permanent === true && { permanent }) }
    : { type: 'unreachable', refused: false, launched: false, message: `${node}: ${message}` };
