import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import {
  advance,
  replay,
  stateAfter,
  type JournalRecord,
  type OperationProgress,
} from '#machines/decide/progress.ts';
import type { Instant } from '#base/time.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { maskedTexts, maskText } from '#base/mask-text.ts';
import type { EngineIo } from './io.ts';
import { UnwrittenRecord } from './unwritten-record.ts';

type Undated<Part> = Part extends unknown ? Omit<Part, 'at'> : never;

/** An operation while it runs: its plan, its progress, its journal and its events. */
export type OperationLog = {
  /** The id of the operation, the same for every operator that resumes it. */
  readonly id: string;
  plan: MachinePlan;
  /** All parts of the operation, where `plan` is one of them. */
  readonly whole: MachinePlan;
  readonly io: EngineIo;
  readonly progress: () => OperationProgress;
  /** `progress` includes the record at once; it is durable when the promise settles. Rejects with `UnwrittenRecord`. */
  readonly record: (record: Undated<JournalRecord>) => Promise<void>;
  readonly emit: (event: Undated<ProgressEvent>) => void;
  /** Every secret that was read so far. Records and events show `***` instead. */
  readonly secrets: () => ReadonlySet<string>;
};

type OpenedOperation = Pick<OperationLog, 'id' | 'plan'> & {
  readonly whole?: MachinePlan | undefined;
  readonly records: readonly JournalRecord[];
};

export function openOperationLog(
  { id, plan, whole = plan, records }: OpenedOperation,
  given: EngineIo,
): OperationLog {
  let progress = replay(records);
  const secrets = new Set<string>();
  const io: EngineIo = {
    ...given,
    async secret(ref) {
      const secret = await given.secret(ref);
      secrets.add(secret.reveal());
      return secret;
    },
  };
  const clean = (text: string): string => maskText(harmlessText(text), maskedTexts(secrets));
  const now = (): Instant => io.clock.now();
  return {
    id,
    plan,
    whole,
    io,
    progress: () => progress,
    record(undated) {
      const record = cleaned<JournalRecord>({ ...undated, at: now() }, clean);
      progress = advance(progress, record);
      return io.append(record).catch((error: unknown) => {
        throw new UnwrittenRecord(id, record, error);
      });
    },
    emit: (event) => io.emit(cleaned({ ...event, at: now() }, clean)),
    secrets: () => secrets,
  };
}

/** A message may quote the output of a machine. Lines of output are masked before. */
function cleaned<Part extends JournalRecord | ProgressEvent>(
  part: Part,
  clean: (text: string) => string,
): Part {
  if ('outcome' in part && part.outcome !== undefined && 'message' in part.outcome)
    return { ...part, outcome: { ...part.outcome, message: clean(part.outcome.message) } };
  return 'message' in part && part.message !== undefined ? { ...part, message: clean(part.message) } : part;
}

export type Task = {
  readonly step: Pick<PlanStep, 'id' | 'title'>;
  readonly node: string;
  readonly attempt: number;
};

/** Records the end of an attempt and reports it. */
export async function noteResult(
  operationLog: OperationLog,
  { step, node, attempt }: Task,
  outcome: Extract<JournalRecord, { type: 'result' }>['outcome'],
  log?: string,
): Promise<void> {
  const durable = operationLog.record({ type: 'result', step: step.id, node, attempt, outcome });
  const { id, title } = step;
  const state = stateAfter(outcome);
  operationLog.emit({
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
