import type { Clock, Millis } from '#base/time.ts';
import { agentProgram, forAgent } from './agent-program.ts';
import { ConnectionLost } from './failure.ts';
import { readFrames, type Frame } from './frames.ts';
import type { Channel, Shell } from './shell.ts';
import { slots } from './slots.ts';

export type LeaseRequest = {
  /** The node's folder, and the operation's below it. */
  readonly folder: string;
  readonly operationFolder: string;
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
  /** Settles when it is no longer ours: released, gone with the connection, or taken by another operator. */
  readonly lost: Promise<'ended' | 'taken'>;
  /** Runs a program in the agent and hands over what it says, up to its end. Throws `ConnectionLost`. */
  follow(program: string, onFrame: FrameListener, signal: AbortSignal): Promise<void>;
  release(cleanUp: boolean): Promise<void>;
};

export type FrameListener = (frame: Frame) => void;

export type Leased =
  | { readonly type: 'taken'; readonly lease: Lease }
  | { readonly type: 'held'; readonly holder: string; readonly ageSeconds: number }
  | { readonly type: 'failed'; readonly message: string };

/** Takes a node's lease and keeps it by an agent that runs on the node until it is released. */
export async function takeLease(
  shell: Shell,
  request: LeaseRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Leased> {
  const { folder, run, holder, staleAfter, operationFolder } = request;
  const words = [folder, run, holder, String(Math.ceil(staleAfter / 1000)), operationFolder];
  const channel = await shell.open(agentProgram, words, signal);
  const frames = readFrames(channel.output as AsyncIterable<Uint8Array>);
  let bootId = '';
  let kernelArch = '';
  for (;;) {
    const { done, value: frame } = await frames.next();
    if (done === true) return { type: 'failed', message: await failure(channel, shell, folder) };
    if (frame.type === 'facts') [bootId = '', kernelArch = ''] = frame.words;
    if (frame.type !== 'lease') continue;
    const [what, number, ...rest] = frame.words;
    const other = rest.slice(1).join(' ');
    if (what === 'held') return { type: 'held', ageSeconds: Number(number), holder: other };
    const known = { counter: Number(number), bootId, kernelArch, takenFrom: other || undefined };
    return { type: 'taken', lease: holdLease({ channel, frames, clock, shell }, request.touchEvery, known) };
  }
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
  readonly frames: AsyncIterable<Frame>;
  readonly clock: Clock;
  readonly shell: Shell;
};

function holdLease(
  agent: Agent,
  touchEvery: Millis,
  known: Pick<Lease, 'counter' | 'bootId' | 'kernelArch' | 'takenFrom'>,
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
    async follow(program, onFrame, signal) {
      await turn.enter(signal);
      try {
        if (isOver) throw new ConnectionLost(shell.name);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        current = { onFrame, ended: resolve, lost: reject };
        channel.input.write(forAgent(program));
        await promise;
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

type Following = {
  readonly onFrame: FrameListener;
  readonly ended: () => void;
  readonly lost: (error: Error) => void;
};

/** Reads what the agent says, and to its end: else it would not end. */
async function pump(
  { frames, channel }: Agent,
  current: () => Following | undefined,
  onLost: (how: 'ended' | 'taken') => void,
): Promise<void> {
  for await (const frame of frames) {
    const following = current();
    if (frame.type === 'lease') onLost(frame.words[0] === 'lost' ? 'taken' : 'ended');
    if (frame.type === 'wait') channel.input.write(`a ${frame.words.join(' ')}\n`);
    if (following === undefined) continue;
    try {
      following.onFrame(frame);
    } catch (error) {
      following.lost(error as Error);
    }
    if (frame.type === 'end') following.ended();
  }
}
