import type { Instant, Millis } from '#base/time.ts';
import type { OperationKind } from './model.ts';
import { taskKey } from './plan.ts';

/** How one attempt at a task ended. Texts are for people: never arguments, never secrets. */
export type TaskOutcome =
  | {
      readonly type: 'succeeded';
      /** The end was found on the node, by an operator that came later. */
      readonly adopted?: boolean;
      /** False: everything was there already, and nothing was sent or made. */
      readonly changed?: boolean;
    }
  | {
      readonly type: 'failed';
      /** Undefined when no script ran: a digest that differs, a full disk. Killed by signal n: 128 + n. */
      readonly exit?: number;
      readonly message: string;
      /** The script refused before it changed anything. */
      readonly changed?: false;
      /** Another try cannot succeed until a user changes something: for example, the destination is a folder. */
      readonly permanent?: boolean;
    }
  | {
      readonly type: 'timedOut';
      readonly limit: Millis;
      readonly message: string;
      /** Processes that left the job's group and were found by its marker. */
      readonly escaped: readonly number[];
    }
  | {
      readonly type: 'unreachable';
      readonly message: string;
      readonly refused: boolean;
      /** The job may have been started: its result is read from the node before anything runs again. */
      readonly launched: boolean;
    }
  /** Started once, and the node has neither a result nor a process. */
  | { readonly type: 'unknown'; readonly message: string }
  /** Ended by Ctrl-C; its processes have ended. */
  | { readonly type: 'cancelled'; readonly message: string };

/** What stands in the journal of one operation, in this order of life. Appended and fsynced. */
export type JournalRecord =
  | {
      readonly type: 'planned';
      readonly at: Instant;
      readonly id: string;
      readonly cluster: string;
      readonly operation: OperationKind;
      /** The request, so that `resume` can plan it again: plain values of the CLI, no secrets. */
      readonly request: { readonly [key: string]: string | number | boolean | readonly string[] };
      /** The options of the run: where its jobs are and whom it trusts. Absent in records of earlier versions. */
      readonly startedWith?: { readonly [key: string]: string | number | boolean };
    }
  /** An operator takes the operation up; what an earlier one left running is now without one. */
  | { readonly type: 'opened'; readonly at: Instant; readonly run: string }
  /** Files are on their way to the node; nothing was started, so a restart begins again. */
  | {
      readonly type: 'staging';
      readonly at: Instant;
      readonly step: string;
      readonly node: string;
      readonly attempt: number;
    }
  /** The last record before a job is started: from here on its result is only on the node. */
  | {
      readonly type: 'intent';
      readonly at: Instant;
      readonly step: string;
      readonly node: string;
      readonly attempt: number;
      readonly fingerprint: string;
    }
  /** An intent without a result was found: the result is read from the node, and the job followed if it still runs. */
  | {
      readonly type: 'asked';
      readonly at: Instant;
      readonly step: string;
      readonly node: string;
      readonly attempt: number;
    }
  | {
      readonly type: 'result';
      readonly at: Instant;
      readonly step: string;
      readonly node: string;
      readonly attempt: number;
      readonly outcome: TaskOutcome;
    }
  /** The node is skipped: it could not be reached at the start, and the others continue. */
  | { readonly type: 'isolated'; readonly at: Instant; readonly node: string; readonly message: string }
  /** A rollback took back what these tasks made (by `taskKey`): another try begins with them again. */
  | { readonly type: 'undone'; readonly at: Instant; readonly tasks: readonly string[] }
  /** A user retries everything that failed. */
  | { readonly type: 'retried'; readonly at: Instant }
  | { readonly type: 'closed'; readonly at: Instant; readonly state: OperationState };

export type OperationState =
  | 'Planned'
  | 'Locked'
  | 'Running'
  | 'Blocked'
  | 'Succeeded'
  | 'PartlySucceeded'
  | 'Failed'
  | 'Cancelled'
  /** What a restart finds: started, not closed, and no process runs it. */
  | 'Interrupted';

/** On all machines, or on all that were not left out. */
export const hasSucceeded = (state: OperationState | undefined): boolean =>
  state === 'Succeeded' || state === 'PartlySucceeded';

export type TaskState =
  | 'Waiting'
  | 'Staging'
  | 'Launched'
  | 'Succeeded'
  | 'Failed'
  | 'TimedOut'
  | 'Unreachable'
  | 'Unknown'
  | 'Cancelled'
  | 'Skipped';

export type TaskProgress = {
  readonly state: TaskState;
  /** Of all attempts, also those of earlier operators. */
  readonly attempts: number;
  /** Since the last success or the last manual `retry`; the pauses grow with it. */
  readonly failures: number;
  readonly since: Instant;
  /** The operator that wrote the intent is the one at work now. */
  readonly live: boolean;
  /** Of the last attempt that ended; one that is under way may follow it. */
  readonly outcome?: TaskOutcome;
  readonly fingerprint?: string;
};

export type OperationProgress = {
  readonly id?: string;
  /** By `taskKey`. Absent: Waiting, never tried. */
  readonly tasks: ReadonlyMap<string, TaskProgress>;
  readonly isolated: ReadonlyMap<string, string>;
  readonly closed?: OperationState;
};

export const nothingYet: OperationProgress = { tasks: new Map(), isolated: new Map() };

const stateOf = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  timedOut: 'TimedOut',
  unreachable: 'Unreachable',
  unknown: 'Unknown',
  cancelled: 'Cancelled',
} as const satisfies Record<TaskOutcome['type'], TaskState>;

/** What the outcome makes of the task: its state in words. */
export const stateAfter = (outcome: TaskOutcome): TaskState => stateOf[outcome.type];

/** The whole journal at once, as a restart reads it. */
export const replay = (records: Iterable<JournalRecord>): OperationProgress => {
  let progress = nothingYet;
  for (const record of records) progress = advance(progress, record);
  return progress;
};

/** One record further. */
export function advance(progress: OperationProgress, record: JournalRecord): OperationProgress {
  switch (record.type) {
    case 'planned':
      return { ...progress, id: record.id };
    case 'opened': {
      const { closed: _reopened, ...rest } = progress;
      return withoutOperator(rest);
    }
    case 'staging':
      return put(progress, record, begun(taskOf(progress, record), 'Staging', record));
    case 'intent': {
      const task = begun(taskOf(progress, record), 'Launched', record);
      return put(progress, record, { ...task, fingerprint: record.fingerprint });
    }
    case 'asked':
      return put(progress, record, { ...taskOf(progress, record), state: 'Launched', live: true });
    case 'result':
      return put(progress, record, ended(taskOf(progress, record), record.outcome, record.at));
    case 'isolated':
      return { ...progress, isolated: new Map([...progress.isolated, [record.node, record.message]]) };
    case 'retried':
      return { ...progress, isolated: new Map(), tasks: each(progress, tryAgain) };
    case 'undone':
      return { ...progress, tasks: takenBack(progress, new Set(record.tasks)) };
    case 'closed':
      return { ...progress, closed: record.state };
  }
}

/** As another operator finds it: nobody follows what runs. */
export const withoutOperator = (progress: OperationProgress): OperationProgress => ({
  ...progress,
  tasks: each(progress, orphaned),
});

const fresh: TaskProgress = { state: 'Waiting', attempts: 0, failures: 0, since: 0 as Instant, live: false };

const taskOf = (progress: OperationProgress, { step, node }: { step: string; node: string }): TaskProgress =>
  progress.tasks.get(taskKey(step, node)) ?? fresh;

function put(
  progress: OperationProgress,
  { step, node }: { step: string; node: string },
  task: TaskProgress,
): OperationProgress {
  return { ...progress, tasks: new Map(progress.tasks).set(taskKey(step, node), task) };
}

const begun = (
  before: TaskProgress,
  state: TaskState,
  { attempt, at }: { attempt: number; at: Instant },
): TaskProgress => ({ ...before, state, attempts: attempt, since: at, live: true });

function ended(before: TaskProgress, outcome: TaskOutcome, at: Instant): TaskProgress {
  const lost = outcome.type === 'cancelled' || outcome.type === 'succeeded' ? 0 : 1;
  const failures = outcome.type === 'succeeded' ? 0 : before.failures + lost;
  return { ...before, state: stateOf[outcome.type], failures, since: at, live: false, outcome };
}

const each = (
  progress: OperationProgress,
  change: (task: TaskProgress) => TaskProgress,
): ReadonlyMap<string, TaskProgress> =>
  new Map([...progress.tasks].map(([key, task]) => [key, change(task)] as const));

/** Attempts are counted on: each has a name of its own on its node. */
const takenBack = (
  { tasks }: OperationProgress,
  undone: ReadonlySet<string>,
): ReadonlyMap<string, TaskProgress> =>
  new Map(
    [...tasks].map(([key, task]) => {
      if (!undone.has(key)) return [key, task] as const;
      const { outcome: _outcome, fingerprint: _fingerprint, ...rest } = task;
      return [key, { ...rest, state: 'Waiting', failures: 0, live: false }] as const;
    }),
  );

const orphaned = (task: TaskProgress): TaskProgress => (task.live ? { ...task, live: false } : task);

const unsuccessful: ReadonlySet<TaskState> = new Set([
  'Failed',
  'TimedOut',
  'Unreachable',
  'Unknown',
  'Cancelled',
]);

/**
 * A task that may run on its node stays Launched, so that the node is read first. One that has changed nothing begins
 * anew; of any other the fingerprint says that a rollback has something to take back.
 */
function tryAgain(task: TaskProgress): TaskProgress {
  if (task.live || !unsuccessful.has(task.state)) return task;
  const { outcome, fingerprint, ...rest } = task;
  const isLost = outcome?.type === 'unreachable' && outcome.launched;
  const isUnchanged = outcome !== undefined && 'changed' in outcome && !outcome.changed;
  return {
    ...rest,
    ...(fingerprint !== undefined && !isUnchanged && { fingerprint }),
    state: isLost ? 'Launched' : 'Waiting',
    failures: 0,
  };
}
