import { writeSync } from 'node:fs';
import { UnexpectedAnswer } from './failure.ts';
import type { JobStream } from './frames.ts';
import { byteMask } from './mask-bytes.ts';
import { outputLines, type LineListener } from './output-lines.ts';

/** Bytes kept from the end of a stream that was cut. */
export const tailLimit = 64 * 1024;

/** For the lines that the machine's runner adds. */
const margin = 8 * 1024;

export type Taking = {
  readonly onLine: LineListener;
  /** The limit of bytes of each stream that the machine keeps. */
  readonly kept: number;
  readonly secrets: Iterable<string>;
};

/** A job's output on its way to a file and to a listener: without secrets, and never more than was agreed on. */
export type TakenOutput = {
  /** Throws `UnexpectedAnswer` when the machine sends more than it was to keep. */
  push(stream: JobStream, bytes: Uint8Array): void;
  /** The last lines. */
  end(): string;
};

export function takeOutput(file: number, { onLine, kept, secrets }: Taking): TakenOutput {
  const lines = outputLines(onLine);
  const masks = { stdout: byteMask(secrets), stderr: byteMask(secrets) };
  const room = { stdout: kept + tailLimit + margin, stderr: kept + tailLimit + margin };
  const keep = (stream: JobStream, bytes: Uint8Array): void => {
    // At once: what waited for its turn would pile up in memory, on all channels together.
    writeSync(file, bytes);
    lines.push(stream, bytes);
  };
  return {
    push(stream, bytes) {
      room[stream] -= bytes.length;
      if (room[stream] < 0) {
        const why = `the machine sent more than ${kept} bytes of ${stream}, which it was to cut: it was cut off`;
        writeSync(file, `\n[boathook: ${why}]\n`);
        throw new UnexpectedAnswer(why);
      }
      keep(stream, masks[stream].push(bytes));
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) keep(stream, masks[stream].end());
      lines.end();
      return lines.lastLines();
    },
  };
}
