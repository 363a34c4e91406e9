import { seconds, type Clock, type Millis } from '#base/time.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { agentProgram, forAgent } from './agent-program.ts';
import { ConnectionLost, UnexpectedAnswer } from './failure.ts';
import { leftJob, type LeftJob } from './left-job.ts';
import { readFrames, type AgentFrame } from './frames.ts';
import type { Channel, Shell } from './shell.ts';
import { slots } from './slots.ts';

export type LeaseRequest = {
  /** The node's folder, and the operation's below it. */
  readonly folder: string;
  readonly operationFolder: string;
  /** The folder of all nodes. */
  readonly stateDir: string;
  /** Where the host's lease is; undefined: there is none. */
  readonly host: string | undefined;
  /** Cluster and operation, as parts of file names. */
  readonly scope: readonly [cluster: string, operation: string];
  /** A run's own lease, left by a broken connection, is taken over without waiting. */
  readonly run: string;
  /** Told to those who find it held: one line. */
  readonly holder: string;
  readonly touchEvery: Millis;
  readonly staleAfter: Millis;
};

/** A node's lease, and its agent, which runs as long as it is held. */
export type Lease = {
  readonly counter: number;
  readonly bootId: string;
  /** What the kernel calls the machine: `x86_64`. */
  readonly kernelArch: string;
  /** Who held it and has not touched it for too long. */
  readonly takenFrom: string | undefined;
  /** Scripts of ended operations that still run on the machine. */
  readonly left: readonly LeftJob[];
  /** Settles when the lease is lost: released, lost with the connection, or taken by another operator. */
  readonly lost: Promise<'ended' | 'taken'>;
  /**
   * Runs a program in the agent and hands over its output, up to its end. Throws `ConnectionLost`, and
   * `UnexpectedAnswer` for a machine that is silent, does not end in time, or sends what `onFrame` throws at.
   */
  follow(program: string, follower: Follower, signal: AbortSignal): Promise<void>;
  release(cleanUp: boolean): Promise<void>;
};

export type FrameListener = (frame: AgentFrame) => void;

export type Follower = {
  readonly onFrame: FrameListener;
  /** How long it may take from its start; undefined: as long as the agent gives signs of life. */
  readonly limit?: Millis | undefined;
};

/** An agent that follows a job gives a sign of life every ten seconds or so. */
const silenceLimit = seconds(120);
/** The limit of bytes that a machine has requested and not read yet. */
const mostUnread = 64 * 1024;

export type Leased =
  | { readonly type: 'taken'; readonly lease: Lease }
  | {
      readonly type: 'held';
      readonly holder: string;
      readonly ageSeconds: number;
      /** Where it is another one's. */
      readonly cluster?: string;
      readonly operation?: string;
    }
  | { readonly type: 'failed'; readonly message: string };

/** Takes a node's lease and keeps it by an agent that runs on the node until it is released. */
export async function takeLease(
  shell: Shell,
  request: LeaseRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Leased> {
  const { folder, run, holder, staleAfter, operationFolder, stateDir, host = '', scope } = request;
  const stale = String(Math.ceil(staleAfter / 1000));
  const words = [folder, run, holder, stale, operationFolder, stateDir, host, scope.join(' ')];
  const channel = await shell.open(agentProgram, words, signal);
  const frames = readFrames(channel.output);
  let bootId = '';
  let kernelArch = '';
  const left: LeftJob[] = [];
  for (;;) {
    const { done, value: frame } = await frames.next();
    if (done === true) return { type: 'failed', message: await failure(channel, shell, folder) };
    if (frame.type === 'facts') [bootId = '', kernelArch = ''] = frame.words;
    if (frame.type === 'left' && left.length < mostLeft) left.push(leftJob(frame.words));
    if (frame.type !== 'lease') continue;
    const [what, number, ...rest] = frame.words;
    const other = rest.slice(1).join(' ');
    if (what === 'busy') return busyWith(Number(number), rest);
    if (what === 'held') return { type: 'held', ageSeconds: Number(number), holder: harmlessText(other) };
    const known = {
      left,
      counter: Number(number),
      bootId,
      kernelArch,
      takenFrom: harmlessText(other) || undefined,
    };
    return { type: 'taken', lease: holdLease({ channel, frames, clock, shell }, request.touchEvery, known) };
  }
}

const mostLeft = 100;

/** Who works on the host under another name, or for another operation. */
function busyWith(
  ageSeconds: number,
  [cluster = '?', operation = '-', ...holder]: readonly string[],
): Leased {
  return {
    type: 'held',
    ageSeconds,
    holder: harmlessText(holder.join(' ')),
    cluster: harmlessText(cluster),
    ...(operation !== '-' && { operation: harmlessText(operation) }),
  };
}

async function failure(channel: Channel, shell: Shell, folder: string): Promise<string> {
  const code = await channel.ended;
  const said = channel.complaints();
  return code === undefined
    ? `The connection to ${shell.name} was lost.`
    : `${shell.name} cannot keep its lease in ${folder}: ${said === '' ? `exit ${code}` : said}`;
}

type Agent = {
  readonly channel: Channel;
  readonly frames: AsyncIterable<AgentFrame>;
  readonly clock: Clock;
  readonly shell: Shell;
};

function holdLease(
  agent: Agent,
  touchEvery: Millis,
  known: Pick<Lease, 'left' | 'counter' | 'bootId' | 'kernelArch' | 'takenFrom'>,
): Lease {
  const { channel, clock, shell } = agent;
  // A node does one thing after another.
  const turn = slots(1);
  let current: Following | undefined;
  let isOver = false;
  const touch = (): void => {
    channel.input.write('t\n');
    cancel = clock.after(touchEvery, touch);
  };
  let cancel = clock.after(touchEvery, touch);
  const { promise: lost, resolve: lose } = Promise.withResolvers<'ended' | 'taken'>();
  const end = (how: 'ended' | 'taken'): void => {
    isOver = true;
    cancel();
    // Before anybody tries to connect again: what was taken is not to be taken back.
    lose(how);
    current?.lost(new ConnectionLost(shell.name));
  };
  void pump(agent, () => current, end).finally(() => end('ended'));
  return {
    ...known,
    lost,
    async follow(program, follower, signal) {
      await turn.enter(signal);
      try {
        if (isOver) throw new ConnectionLost(shell.name);
        const { following, ended } = followAlong(agent, follower);
        current = following;
        channel.input.write(forAgent(program));
        await ended;
      } finally {
        current = undefined;
        turn.leave();
      }
    },
    async release(cleanUp) {
      cancel();
      channel.input.end(cleanUp ? 'd\n' : 'q\n');
      // Not for the end of the channel: a job that is still followed holds it open.
      await lost;
    },
  };
}

/** Follows a job until its end, or until the connection is given up. */
function followAlong(
  { clock, shell }: Agent,
  { onFrame, limit }: Follower,
): { readonly following: Following; readonly ended: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watch = watchOver(clock, limit, (why) => {
    reject(new UnexpectedAnswer(`${shell.name} ${why}`));
    shell.close();
  });
  const heard: FrameListener = (frame) => {
    watch.heard();
    onFrame(frame);
  };
  return {
    following: { onFrame: heard, ended: resolve, lost: reject },
    ended: promise.finally(watch.end),
  };
}

/** Calls `giveUp` when nothing is received for too long, or the limit has passed. */
function watchOver(
  clock: Clock,
  limit: Millis | undefined,
  giveUp: (why: string) => void,
): { readonly heard: () => void; readonly end: () => void } {
  const silent = (): void => giveUp(`gave no sign of life for ${silenceLimit / 1000} s`);
  let cancel = clock.after(silenceLimit, silent);
  const overdue = (): void => giveUp('did not report the end of the script although its time is up');
  const cancelLimit = limit === undefined ? undefined : clock.after(limit, overdue);
  return {
    heard() {
      cancel();
      cancel = clock.after(silenceLimit, silent);
    },
    end() {
      cancel();
      cancelLimit?.();
    },
  };
}

type Following = {
  readonly onFrame: FrameListener;
  readonly ended: () => void;
  readonly lost: (error: Error) => void;
};

/** Reads the agent's output to its end, so that it can end. An agent with invalid output is disconnected. */
async function pump(
  { frames, channel, shell }: Agent,
  current: () => Following | undefined,
  onLost: (how: 'ended' | 'taken') => void,
): Promise<void> {
  try {
    for await (const frame of frames) {
      const following = current();
      if (frame.type === 'lease') onLost(frame.words[0] === 'lost' ? 'taken' : 'ended');
      if (frame.type === 'wait') answer(channel, frame.words);
      following?.onFrame(frame);
      if (frame.type === 'end') following?.ended();
    }
  } catch (error) {
    // Also when the output cannot be stored here: the program may run on, so it has not failed.
    current()?.lost(
      error instanceof UnexpectedAnswer ? error : new UnexpectedAnswer((error as Error).message),
    );
    shell.close();
  }
}

function answer({ input }: Channel, words: readonly string[]): void {
  if (input.writableLength > mostUnread)
    throw new UnexpectedAnswer('The machine requests data and does not read it.');
  input.write(`a ${words.join(' ')}\n`);
}
