import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan as Plan, PlanStep as Step } from '#machines/decide/plan.ts';
import {
  advance,
  replay,
  stateAfter,
  type JournalRecord,
  type OperationProgress as Progress,
} from '#machines/decide/progress.ts';
import type { Instant } from '#base/time.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { maskedTexts, maskText } from '#base/mask-text.ts';
import type { EngineDoors } from './doors.ts';

type Undated<Part> = Part extends unknown ? Omit<Part, 'at'> : never;

/** What the engine has before it: the plan, what is known, and the pen. */
export type Desk = {
  /** The operation's, the same for every operator that takes it up. */
  readonly id: string;
  plan: Plan;
  readonly doors: EngineDoors;
  readonly progress: () => Progress;
  /** Known at once, durable when the promise settles. */
  readonly note: (record: Undated<JournalRecord>) => Promise<void>;
  readonly tell: (event: Undated<ProgressEvent>) => void;
  /** Every secret that was looked up so far: hidden in what is written down and told. */
  readonly secrets: () => ReadonlySet<string>;
};

export function openDesk(
  {
    id,
    plan,
    records,
  }: { readonly id: string; readonly plan: Plan; readonly records: readonly JournalRecord[] },
  given: EngineDoors,
): Desk {
  let progress = replay(records);
  const secrets = new Set<string>();
  const doors: EngineDoors = {
    ...given,
    async secret(ref) {
      const secret = await given.secret(ref);
      secrets.add(secret.reveal());
      return secret;
    },
  };
  const clean = (text: string): string => maskText(harmlessText(text), maskedTexts(secrets));
  const now = (): Instant => doors.clock.now();
  return {
    id,
    plan,
    doors,
    progress: () => progress,
    note(undated) {
      const record = cleaned<JournalRecord>({ ...undated, at: now() }, clean);
      progress = advance(progress, record);
      return doors.append(record);
    },
    tell: (event) => doors.emit(cleaned({ ...event, at: now() }, clean)),
    secrets: () => secrets,
  };
}

/** Messages may repeat what a machine said. Lines of output come without secrets. */
function cleaned<Part extends JournalRecord | ProgressEvent>(
  part: Part,
  clean: (text: string) => string,
): Part {
  if ('outcome' in part && part.outcome !== undefined && 'message' in part.outcome)
    return { ...part, outcome: { ...part.outcome, message: clean(part.outcome.message) } };
  return 'message' in part && part.message !== undefined ? { ...part, message: clean(part.message) } : part;
}

export type Task = { readonly step: Step; readonly node: string; readonly attempt: number };

/** Notes the end of an attempt and says so. */
export async function noteResult(
  desk: Desk,
  { step, node, attempt }: Task,
  outcome: Extract<JournalRecord, { type: 'result' }>['outcome'],
  log?: string,
): Promise<void> {
  const durable = desk.note({ type: 'result', step: step.id, node, attempt, outcome });
  const { id, title } = step;
  const state = stateAfter(outcome);
  desk.tell({
    type: 'task',
    step: id,
    title,
    node,
    state,
    attempt,
    outcome,
    ...(log !== undefined && { log }),
  });
  await durable;
}
