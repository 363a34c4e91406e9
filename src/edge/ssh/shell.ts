import type { Readable, Writable } from 'node:stream';
import type { SshFailure } from './failure.ts';

/** A program that runs on a machine, and its ends here. */
export type Channel = {
  readonly input: Writable;
  readonly output: Readable;
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

/** Keeps the last of a stream as a text. */
export function keepLast(stream: Readable): () => string {
  let kept = Buffer.alloc(0);
  stream.on('data', (piece: Buffer) => {
    kept = Buffer.concat([kept, piece]).subarray(-complaintLimit);
  });
  stream.on('error', () => undefined);
  return () => kept.toString('utf8').trim();
}

export type Ran = { readonly code: number | undefined; readonly out: Buffer; readonly complaints: string };

const outLimit = 64 * 1024 * 1024;

/** Runs a program to its end and gives what it printed. */
export async function runToEnd(channel: Channel, input: AsyncIterable<Uint8Array> | undefined): Promise<Ran> {
  const pieces: Buffer[] = [];
  let size = 0;
  const reading = (async () => {
    for await (const piece of channel.output as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > outLimit) channel.close();
      else pieces.push(piece);
    }
  })();
  const writing = feed(channel.input, input);
  const code = await channel.ended;
  await Promise.all([reading, writing]);
  return { code, out: Buffer.concat(pieces), complaints: channel.complaints() };
}

/** Writes as fast as the other end reads. A program may end without reading all of it. */
async function feed(writable: Writable, input: AsyncIterable<Uint8Array> | undefined): Promise<void> {
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
    if (!writable.write(piece))
      await Promise.race([new Promise<void>((resolve) => writable.once('drain', () => resolve())), gone]);
  }
  if (!isGone) writable.end();
}
