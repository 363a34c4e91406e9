import type { Readable, Writable } from 'node:stream';
import { harmlessText } from '#base/harmless-text.ts';
import { minutes, type Millis } from '#base/time.ts';
import { UnexpectedAnswer, type SshFailure } from './failure.ts';

/** A program that runs on a machine, and its ends here. */
export type Channel = {
  readonly input: Writable;
  /** Read once. Throws `UnexpectedAnswer` when something else than the program answers. */
  readonly output: AsyncIterable<Uint8Array>;
  /** The last of what it wrote to its error output. */
  complaints(): string;
  /** Its exit code; undefined when a signal or a lost connection ended it. */
  readonly ended: Promise<number | undefined>;
  close(): void;
};

/** Where programs for `/bin/sh` run, as root where that is needed. */
export type Shell = {
  readonly name: string;
  /** Starts a program with arguments; waits while too many run. Throws `ConnectionLost`. */
  open(program: string, args: readonly string[], signal: AbortSignal): Promise<Channel>;
  /** Settles when no further program can be started. */
  readonly closed: Promise<void>;
  close(): void;
};

export type Connected = { readonly type: 'connected'; readonly shell: Shell } | SshFailure;

const complaintLimit = 4096;

/** More than the error output of any real program. */
const mostComplaints = 4 * 1024 * 1024;

/** Keeps the last of a stream as a text, of what comes after `begin`; one that never ends is ended by `giveUp`. */
export function keepLast(stream: Readable, giveUp: () => void = () => undefined, begin = ''): () => string {
  let kept = Buffer.alloc(0);
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    kept = Buffer.concat([kept, piece]).subarray(-complaintLimit);
    if (size > mostComplaints) giveUp();
  });
  stream.on('error', () => undefined);
  return () => {
    const text = kept.toString('utf8');
    const at = begin === '' ? -1 : text.indexOf(begin);
    return harmlessText(text.slice(at < 0 ? 0 : at + begin.length).trim());
  };
}

export type Ran = { readonly code: number | undefined; readonly out: Buffer; readonly complaints: string };

/** What a program may print, and how long it may neither print nor read anything. */
export type RunLimits = { readonly bytes?: number; readonly silence?: Millis };

const usualBytes = 1024 * 1024;
/** The digest of a very large file is slow. */
const usualSilence = minutes(10);

/** Runs a program to its end and gives what it printed. Throws `UnexpectedAnswer` beyond the limits. */
export async function runToEnd(
  channel: Channel,
  input: AsyncIterable<Uint8Array> | undefined,
  { bytes = usualBytes, silence = usualSilence }: RunLimits = {},
): Promise<Ran> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const { promise: gaveUp, reject } = Promise.withResolvers<never>();
  const giveUp = (why: string): void => {
    reject(new UnexpectedAnswer(why));
    channel.close();
  };
  const watch = setTimeout(() => giveUp(`nothing was heard for ${silence / 1000} s`), silence);
  const reading = (async () => {
    for await (const piece of channel.output) {
      watch.refresh();
      size += piece.length;
      if (size > bytes) return giveUp(`more than ${bytes} bytes were answered`);
      pieces.push(piece);
    }
  })();
  const writing = feed(channel.input, input, () => watch.refresh());
  const whole = Promise.all([channel.ended, reading, writing]);
  // The first error is reported; the other one is ignored.
  whole.catch(() => channel.close());
  gaveUp.catch(() => undefined);
  try {
    const [code] = await Promise.race([whole, gaveUp]);
    return { code, out: Buffer.concat(pieces), complaints: channel.complaints() };
  } finally {
    clearTimeout(watch);
  }
}

/** Writes as fast as the other end reads. A program may end without reading all of it. */
async function feed(
  writable: Writable,
  input: AsyncIterable<Uint8Array> | undefined,
  onProgress: () => void,
): Promise<void> {
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      isGone = true;
      resolve();
    };
    writable.once('close', end).on('error', end);
  });
  for await (const piece of input ?? []) {
    if (isGone) return;
    onProgress();
    if (!writable.write(piece))
      await Promise.race([new Promise<void>((resolve) => writable.once('drain', () => resolve())), gone]);
  }
  if (!isGone) writable.end();
}
