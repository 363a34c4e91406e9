import { devNull } from 'node:os';
import { seededRandom } from '#base/random.ts';
import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import { Secret } from '#edge/secret.ts';
import type { VirtualTime } from '#edge/virtual-time.ts';
import { withLocalCopies } from '#machines/cli/files/local-copies.ts';
import type { PreparedOperation } from '#machines/cli/files/prepare.ts';
import { readSource } from '#machines/cli/files/sources.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { SecretRef } from '#machines/decide/model.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import type { EngineIo } from '#machines/engine/io.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { RehearsedFleet } from './rehearsed-fleet.ts';

/** An operation as it went. */
export type OperationWalk = {
  readonly events: readonly ProgressEvent[];
  readonly records: readonly JournalRecord[];
  readonly started: Instant;
  readonly ended: Instant;
  /** Undefined: the horizon came first. */
  readonly end: RunEnd | undefined;
};

export type RehearsalStage = {
  readonly time: VirtualTime;
  readonly fleet: RehearsedFleet;
  readonly artifacts: Map<string, Uint8Array>;
  readonly seed: number;
};

/** Runs a plan with the real engine on simulated machines, up to its end or the horizon. */
export async function runRehearsed(
  id: string,
  { options, horizon, copies, request }: RehearsedOperation,
  prepared: PreparedOperation,
  stage: RehearsalStage,
): Promise<OperationWalk> {
  const { time, fleet } = stage;
  const events: ProgressEvent[] = [];
  const records: JournalRecord[] = [];
  const started = time.clock.now();
  const stop = new AbortController();
  const machines = fleet.open(id);
  const work = runPlan(
    {
      id,
      plan: await time.hold(withLocalCopies(prepared.plan, copies)),
      nodes: new Map(prepared.declaration.cluster.nodes.map((node) => [node.name, node])),
      records: [],
      holder: `rehearsal 1 ${formatTime(started)} boathook cluster ${request.verb}`,
      leaseTouch: options.leaseTouch,
      leaseStale: options.leaseStale,
      patience: seconds(20),
      purge: options.purge,
    },
    ioOf(stage, { machines, events, records }),
    stop.signal,
  );
  const end = await endWithin(time, work, later(started, horizon));
  const ended = time.clock.now();
  // What is ended only because the rehearsal is over did not end in it.
  const seen = [...events];
  if (end === undefined) {
    stop.abort(new Error('the rehearsal is over'));
    await time.until(work);
  }
  return { events: seen, records, started, ended, end };
}

async function endWithin(
  time: VirtualTime,
  work: Promise<RunEnd>,
  limit: Instant,
): Promise<RunEnd | undefined> {
  const progress = { isOver: false };
  const over = (): void => {
    progress.isOver = true;
  };
  work.then(over, over);
  await time.settle();
  while (!progress.isOver) if (!(await time.step(limit))) break;
  return progress.isOver ? work : undefined;
}

type Collected = {
  readonly machines: EngineIo['machines'];
  readonly events: ProgressEvent[];
  readonly records: JournalRecord[];
};

function ioOf({ time, artifacts, seed }: RehearsalStage, { machines, events, records }: Collected): EngineIo {
  return {
    clock: time.clock,
    random: seededRandom(seed),
    machines,
    secret: (ref) => Promise.resolve(new Secret(standIn(ref))),
    append: (record) => {
      records.push(record);
      return Promise.resolve();
    },
    emit: (event) => void events.push(event),
    source: (path) => time.hold(readSource(path)),
    artifacts: {
      read: (name) => Promise.resolve(artifacts.get(name)),
      write: (name, content) => {
        artifacts.set(name, content);
        return Promise.resolve();
      },
    },
    logFile: () => devNull,
  };
}

/** Secrets are not needed, so they are not read. */
function standIn(ref: SecretRef): string {
  if (ref.type !== 'derived') return 'rehearsed-secret';
  return ref.shape === 'bootstrap-token' ? 'abcdef.0123456789abcdef' : '0'.repeat(64);
}
