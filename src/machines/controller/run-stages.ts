import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import { openArtifacts } from './artifacts.ts';
import type { EngineDoors } from '#machines/engine/doors.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { Plan } from '#machines/decide/plan.ts';
import { advance, type JournalRecord } from '#machines/decide/progress.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import { warning } from '#loop/note.ts';
import { nameOf } from '#kube/object.ts';
import { noteEvent } from './note-event.ts';
import { secretDoor } from './secrets.ts';
import { hostName, keysIn } from './host-keys-of.ts';
import type { PartEnd, Turn } from './turn.ts';
import type { HostKeyBook } from './machine-doors.ts';

/** A pause of at most this length is waited for with the machines in hand. */
const shortPause = seconds(10);
const lockedPause = seconds(10);
/** Not longer: a machine that is lost is told of in the status, and asked after with growing pauses. */
const reconnecting = seconds(20);
const leaseTouch = seconds(10);
const leaseStale = seconds(30);

/** Lets the engine work through a part of the plan, when its turn to be connected has come. */
export async function runStages(turn: Turn, index: number): Promise<PartEnd> {
  const segment = turn.planned?.segments[index];
  if (segment?.type !== 'stages') return passed;
  if (verdictOf(segment.plan, turn.progress).state === 'Succeeded') return passed;
  if (turn.isPaused()) return paused;
  const { seats } = turn.deps;
  const taken = await seats.take(AbortSignal.any([turn.leave.signal, turn.cancel.signal]));
  if (taken === undefined) return { type: 'left' };
  try {
    return await (taken === 'at once' ? seated(turn, index, segment.plan) : replanned(turn, index));
  } finally {
    seats.giveBack();
  }
}

/** Files may have changed while it stood in line. */
async function replanned(turn: Turn, index: number): Promise<PartEnd> {
  if (!(await turn.plan(turn.leave.signal)))
    return { type: 'later', ...(turn.trouble !== undefined && { trouble: turn.trouble }) };
  const segment = turn.planned?.segments[index];
  return segment?.type === 'stages' ? seated(turn, index, segment.plan) : { type: 'left' };
}

const passed: PartEnd = { type: 'passed' };

async function seated(turn: Turn, index: number, plan: Plan): Promise<PartEnd> {
  const blocked: { until?: Instant } = {};
  const { doors, clock } = turn.deps;
  const about = { cluster: nameOf(turn.subject.cluster() ?? {}), operation: turn.operation.id };
  const machines = await doors.open(about, hostKeyBook(turn));
  const stop = new AbortController();
  const emit = (event: ProgressEvent): void => {
    noteEvent(turn, event);
    if (event.type !== 'operation' || event.state !== 'Blocked' || event.wakeAt === undefined) return;
    if (event.wakeAt - clock.now() <= shortPause) return;
    blocked.until = event.wakeAt;
    stop.abort(new Error('the next try is far away'));
  };
  const makeRoom = (): void => stop.abort(new Error('others wait to be connected'));
  const stay = turn.deps.seats.share(clock, () => turn.progress, makeRoom);
  try {
    const end = await runPlan(
      {
        id: turn.operation.id,
        plan,
        nodes: new Map(turn.planned?.declaration.cluster.nodes.map((node) => [node.name, node])),
        records: turn.records,
        holder: `${doors.holder} ${formatTime(clock.now())} ${turn.wanted.kind}`,
        leaseTouch,
        leaseStale,
        patience: reconnecting,
        leave: AbortSignal.any([turn.leave.signal, stop.signal]),
      },
      engineDoors(turn, index, { machines, emit }),
      turn.cancel.signal,
    );
    return partEnd(turn, end, blocked.until);
  } finally {
    stay();
    machines.close();
  }
}

const paused: PartEnd = {
  type: 'later',
  trouble: {
    reason: 'Paused',
    message: 'Paused: set spec.paused to false to go on.',
    isFailure: false,
  },
};

function partEnd(turn: Turn, end: RunEnd, blockedUntil: Instant | undefined): PartEnd {
  const now = turn.deps.clock.now();
  switch (end.type) {
    case 'ended': {
      const { state, failures } = end.verdict;
      if (state === 'Succeeded' || state === 'PartlySucceeded') return { type: 'passed' };
      if (state === 'Cancelled') return { type: 'left' };
      const why = failures.map(({ outcome }) => ('message' in outcome ? outcome.message : outcome.type));
      const message = why.join('; ').slice(0, 1024);
      return {
        type: 'later',
        isFailure: true,
        trouble: { reason: 'Failed', message, conditions: [], isFailure: true },
      };
    }
    case 'unreachable': {
      const message = turn.withWayOut([...end.failures.values()].join(' ')).slice(0, 1024);
      // The engine goes on without some of its machines, but not without all of them.
      if (turn.isForced()) {
        turn.deps.events.record(
          turn.object,
          warning('Forced', `It is removed without its machines: ${message}`),
        );
        return { type: 'passed' };
      }
      return {
        type: 'later',
        isFailure: true,
        trouble: { reason: 'MachinesUnusable', message, isFailure: true },
      };
    }
    case 'locked':
      // Not a word into a status that its holder is about to write.
      if (turn.isForeign) return { type: 'elsewhere', at: later(now, lockedPause) };
      return {
        type: 'later',
        at: later(now, lockedPause),
        trouble: { reason: 'MachineInUse', message: end.message, isFailure: false },
      };
    case 'taken-over':
      if (blockedUntil === undefined) return { type: 'left' };
      return { type: 'later', at: blockedUntil };
  }
}

function engineDoors(
  turn: Turn,
  index: number,
  { machines, emit }: Pick<EngineDoors, 'machines' | 'emit'>,
): EngineDoors {
  const { deps, operation, subject } = turn;
  const { clock, random, doors, client, hmac } = deps;
  const cluster = nameOf(subject.cluster() ?? {});
  const artifacts = openArtifacts({ client, namespace: doors.namespace }, cluster, turn.leave.signal);
  return {
    clock,
    random,
    machines,
    emit,
    artifacts,
    secret: secretDoor({
      documents: () => turn.prepared?.documents ?? { files: [], main: '' },
      artifacts,
      operation: operation.id,
      hmac,
      makeKey: () => random.uuid() + random.uuid(),
      wrap: doors.secret,
    }),
    append: (record) => append(turn, record),
    source: doors.source,
    logFile: (task) => doors.logFile({ cluster, operation: operation.id, ...task }),
    replan: async () => {
      const before = turn.planned;
      const isPlanned = await turn.plan(turn.leave.signal);
      const segment = turn.planned?.segments[index];
      if (!isPlanned || segment?.type !== 'stages') {
        turn.planned = before;
        throw new Error(turn.trouble?.message ?? 'the hooks have changed: the operation goes on after them');
      }
      turn.trouble = undefined;
      return segment.plan;
    },
  };
}

/**
 * The journal is the object's status. What must be there before something happens is waited for: an intent, before
 * its job is started; the end, before the machines forget the jobs. A result that is lost is found on its machine.
 */
async function append(turn: Turn, record: JournalRecord): Promise<void> {
  // The machines are ours, so that whoever worked on them before is gone.
  if (record.type === 'opened' && !(await turn.book.claim()))
    throw new Error('another controller was faster');
  turn.progress = advance(turn.progress, record);
  turn.records = [...turn.records, record];
  if (record.type === 'intent' || record.type === 'closed') await turn.book.flush();
  else if (record.type === 'result') turn.book.touch();
}

function hostKeyBook(turn: Turn): HostKeyBook {
  const cluster = turn.subject.cluster();
  const others = turn.subject.workers(turn.wanted).flatMap(keysIn);
  const known = new Map([...others, ...keysIn(cluster)]);
  const insecure = (cluster?.['spec'] as { insecureIgnoreHostKey?: boolean } | undefined)
    ?.insecureIgnoreHostKey;
  return {
    insecure: insecure === true,
    expected: (address, port) =>
      turn.hostKeys.get(hostName(address, port)) ?? known.get(hostName(address, port)),
    seen(address, port, fingerprint) {
      turn.hostKeys.set(hostName(address, port), fingerprint);
      turn.book.touch();
    },
  };
}
