import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import { localNode } from '#machines/decide/plan.ts';
import type { SshFailure } from '#edge/ssh/failure.ts';
import type { Lease, Leased } from '#edge/ssh/lease.ts';
import type { LeftJob } from '#edge/ssh/left-job.ts';
import type { NodeLock, SshMachine } from '#edge/ssh/machine.ts';
import type { EngineIo } from './io.ts';
import { leftText } from './left-text.ts';
import { targetOf } from './target-of.ts';

/** An SSH connection to a node, and the lease of the node once it is locked. */
export type NodeSession = {
  readonly node: string;
  machine(): SshMachine;
  lock(signal: AbortSignal): Promise<Locked>;
  /** After a lost connection: connects and locks again. Returns undefined, or why that failed. */
  reconnect(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Releases the lease, as `close` does, and returns the paths that stay on the machine; undefined when it does not
   * answer.
   */
  remains(wanted: {
    readonly cleanUp: boolean;
    readonly purge: boolean;
    readonly paths: readonly string[];
  }): Promise<readonly string[] | undefined>;
  /** Releases the lease and disconnects; with `cleanUp` it also removes the operation's folder on the node. */
  close(cleanUp: boolean): Promise<void>;
};

export type Locked =
  | {
      readonly type: 'locked';
      readonly takenFrom: string | undefined;
      /** Scripts of other operations that still run there. */
      readonly left: readonly LeftJob[];
    }
  | { readonly type: 'held'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

export type SessionSettings = {
  readonly lock: NodeLock;
  /** How long to retry after a lost connection. */
  readonly patience: Millis;
  /** Called when another operator takes the lease of a connected node. */
  readonly onTaken: (node: string) => void;
};

/** A broken connection is detected sooner; this limit is for a machine that is connected and hangs. */
const lockPatience = seconds(60);
const releasePatience = seconds(15);

type NodeIo = Pick<EngineIo, 'clock' | 'random' | 'machines' | 'secret'>;
type Reach = (signal: AbortSignal) => Promise<SshMachine | SshFailure>;

/** Logs in to a node; nothing is changed on it. */
export async function reachNode(
  node: ClusterNode | typeof localNode,
  io: NodeIo,
  settings: SessionSettings,
  signal: AbortSignal,
): Promise<NodeSession | SshFailure> {
  const reach: Reach = async (signal) => {
    if (node === localNode) return io.machines.local(localNode);
    const reached = await io.machines.reach(await targetOf(node, io.secret), node.name, signal);
    return reached.type === 'reached' ? reached.machine : reached;
  };
  const machine = await reach(signal);
  if ('type' in machine) return machine;
  return sessionOf({ name: node === localNode ? localNode : node.name, machine, reach }, io, settings);
}

type Held = { readonly name: string; readonly machine: SshMachine; readonly reach: Reach };

function sessionOf(held: Held, io: NodeIo, settings: SessionSettings): NodeSession {
  const { name, reach } = held;
  let { machine } = held;
  let lease: Lease | undefined;
  let renewal: Promise<string | undefined> | undefined;
  let isTaken = false;
  const onTaken = (): void => {
    isTaken = true;
    settings.onTaken(name);
  };
  const lock = async (signal: AbortSignal): Promise<Locked> => {
    const asked = machine.lock(settings.lock, signal);
    const leased = await within(asked, { clock: io.clock, patience: lockPatience, signal });
    if (leased === undefined) {
      machine.close();
      signal.throwIfAborted();
    }
    if (leased?.type !== 'taken') return notLocked(name, leased);
    lease = leased.lease;
    void lease.lost.then((how) => how === 'taken' && onTaken());
    return { type: 'locked', takenFrom: lease.takenFrom, left: lease.left };
  };
  const replace = async (found: SshMachine, signal: AbortSignal): Promise<string | undefined> => {
    machine.close();
    machine = found;
    const trouble = troubleOf(name, await lock(signal));
    // Another operation may have had the node meanwhile: no later attempt starts anything beside its script.
    if (trouble !== undefined) machine.close();
    return trouble;
  };
  const release = async (cleanUp: boolean): Promise<void> => {
    const last = lease;
    lease = undefined;
    await releaseLease(last, io.clock, cleanUp);
  };
  return {
    node: name,
    machine: () => machine,
    lock,
    async reconnect(signal) {
      if (isTaken) return 'another operator has taken the node over';
      renewal ??= renew({ reach, replace }, io, settings, signal).finally(() => (renewal = undefined));
      return renewal;
    },
    remains: (wanted) => release(wanted.cleanUp).then(() => remainsOf(machine, wanted, io.clock)),
    async close(cleanUp) {
      await release(cleanUp);
      machine.close();
    },
  };
}

/** Why nothing can be started on a node. */
function troubleOf(name: string, locked: Locked): string | undefined {
  if (locked.type !== 'locked') return locked.message;
  const [job] = locked.left;
  return job === undefined ? undefined : leftText(name, job);
}

async function releaseLease(lease: Lease | undefined, clock: Clock, cleanUp: boolean): Promise<void> {
  if (lease !== undefined) await within(lease.release(cleanUp), { clock, patience: releasePatience });
}

async function remainsOf(
  machine: SshMachine,
  wanted: Parameters<SshMachine['remains']>[0],
  clock: Clock,
): Promise<readonly string[] | undefined> {
  const asked = machine.remains(wanted, new AbortController().signal);
  const found = await within(asked, { clock, patience: lockPatience });
  return found?.type === 'found' ? found.paths : undefined;
}

type Limits = { readonly clock: Clock; readonly patience: Millis; readonly signal?: AbortSignal };

/** Waits for a promise with a limit: undefined when the limit passes or the signal aborts. */
async function within<Answer>(
  asked: Promise<Answer>,
  { clock, patience, signal }: Limits,
): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const giveUp = (): void => resolve(undefined);
  const cancel = clock.after(patience, giveUp);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([asked, promise]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', giveUp);
  }
}

type Renewal = {
  readonly reach: Reach;
  readonly replace: (found: SshMachine, signal: AbortSignal) => Promise<string | undefined>;
};

async function renew(
  { reach, replace }: Renewal,
  { clock, random }: NodeIo,
  { patience }: SessionSettings,
  signal: AbortSignal,
): Promise<string | undefined> {
  const end = clock.now() + patience;
  for (let wait = 250; ; wait = Math.min(wait * 2, 10_000)) {
    const found = await reach(signal);
    const trouble = 'type' in found ? found.message : await replace(found, signal);
    if (trouble === undefined || clock.now() + wait > end) return trouble;
    await clock.sleep(millis(wait * (0.5 + random.next() / 2)), signal);
  }
}

function notLocked(name: string, leased: Exclude<Leased, { readonly type: 'taken' }> | undefined): Locked {
  if (leased?.type === 'held') return { type: 'held', message: heldText(name, leased) };
  return (
    leased ?? {
      type: 'failed',
      message: `${name} does not answer although it is connected: check its disks.`,
    }
  );
}

const heldText = (
  name: string,
  { holder, ageSeconds, cluster, operation }: Extract<Leased, { readonly type: 'held' }>,
): string => {
  const [host = '?', pid = '?', since = '?', ...what] = holder.split(' ');
  const work = operation === undefined ? '' : `, operation ${operation}`;
  const about = cluster === undefined ? '' : `${work} of cluster ${cluster}`;
  return (
    `${name} is in use by process ${pid} on ${host} since ${since} (${what.join(' ')}${about}), ` +
    `which was last seen ${ageSeconds} s ago: wait for it, or stop it.`
  );
};
