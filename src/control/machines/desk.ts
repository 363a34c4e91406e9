import type { ProgressEvent } from '#decide/machines/events.ts';
import type { Plan, Step } from '#decide/machines/plan.ts';
import { advance, replay, stateAfter, type JournalRecord, type Progress } from '#decide/machines/progress.ts';
import type { Instant } from '#base/time.ts';
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
};

export function openDesk(
  {
    id,
    plan,
    records,
  }: { readonly id: string; readonly plan: Plan; readonly records: readonly JournalRecord[] },
  doors: EngineDoors,
): Desk {
  let progress = replay(records);
  const now = (): Instant => doors.clock.now();
  return {
    id,
    plan,
    doors,
    progress: () => progress,
    note(undated) {
      const record = { ...undated, at: now() } as JournalRecord;
      progress = advance(progress, record);
      return doors.append(record);
    },
    tell: (event) => doors.emit({ ...event, at: now() }),
  };
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
