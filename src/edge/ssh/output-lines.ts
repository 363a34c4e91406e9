import { harmlessText } from '#base/harmless-text.ts';
import type { JobStream } from './frames.ts';

export type LineListener = (stream: JobStream, line: string) => void;

const longestLine = 2000;
/** So much of a job's output is shown line by line; after that only the last line of what has arrived. */
const shownLimit = 256 * 1024;
const tailLines = 5;
const tailLength = 700;

/** Turns a job's output into lines for a listener, and keeps the last of each stream for messages. */
export type OutputLines = {
  push(stream: JobStream, bytes: Uint8Array): void;
  end(): void;
  /** The last lines of stderr, or of stdout when stderr was silent. */
  lastLines(): string;
};

export function outputLines(listener: LineListener): OutputLines {
  const streams = { stdout: lineSplitter(), stderr: lineSplitter() };
  let shown = 0;
  return {
    push(stream, bytes) {
      const lines = streams[stream].push(bytes);
      shown += bytes.length;
      for (const line of shown <= shownLimit ? lines : lines.slice(-1)) listener(stream, line);
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const)
        for (const line of streams[stream].end()) listener(stream, line);
    },
    lastLines: () => streams.stderr.last() || streams.stdout.last(),
  };
}

type LineSplitter = {
  push(bytes: Uint8Array): readonly string[];
  end(): readonly string[];
  last(): string;
};

const newline = 10;

function lineSplitter(): LineSplitter {
  const decoder = new TextDecoder();
  let rest = '';
  let last: readonly string[] = [];
  const keep = (lines: readonly string[]): readonly string[] => {
    if (lines.length > 0) last = [...last, ...lines.filter((line) => line.trim() !== '')].slice(-tailLines);
    return lines;
  };
  return {
    push(bytes) {
      const wanted = rest.length > longestLine ? fromNextLine(bytes) : bytes;
      const parts = (rest + decoder.decode(wanted, { stream: true })).split('\n');
      const open = parts.pop() ?? '';
      // Copied, since a part of a text keeps all of it in memory.
      rest = open.length > longestLine ? Buffer.from(open.slice(0, longestLine + 1)).toString() : open;
      return keep(parts.map(cut));
    },
    end() {
      const line = rest + decoder.decode();
      rest = '';
      return line === '' ? [] : keep([cut(line)]);
    },
    last: () => last.join('\n').slice(-tailLength),
  };
}

/** Nothing more is kept of a line that is too long already. */
function fromNextLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(newline);
  return end < 0 ? bytes.subarray(bytes.length) : bytes.subarray(end);
}

const cut = (line: string): string => {
  const whole = harmlessText(line.endsWith('\r') ? line.slice(0, -1) : line);
  return whole.length > longestLine ? `${whole.slice(0, longestLine)}…` : whole;
};
