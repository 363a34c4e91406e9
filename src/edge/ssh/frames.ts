import { UnexpectedAnswer } from './failure.ts';

export type JobStream = 'stdout' | 'stderr';

/** What an agent sends: pieces of a job's output, then its end; and messages about itself. */
export type AgentFrame =
  | { readonly type: 'piece'; readonly stream: JobStream; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly fields: Readonly<Record<string, string>> }
  | { readonly type: 'facts' | 'lease' | 'wait' | 'left'; readonly words: readonly string[] }
  /** A keep-alive of the agent. */
  | { readonly type: 'beat' };

const longestHeader = 4096;
const mostUnknown = 100;
const newline = 10;

/** Reads an agent's output piece by piece; nothing is gathered, however long a piece of the job's output is. */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<AgentFrame> {
  let header = '';
  let left = 0;
  let stream: JobStream = 'stdout';
  let unknown = 0;
  for await (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left);
        at += bytes.length;
        left -= bytes.length;
        yield { type: 'piece', stream, bytes };
        continue;
      }
      const end = chunk.indexOf(newline, at);
      const stop = end < 0 ? chunk.length : end;
      header += Buffer.from(chunk.subarray(at, stop)).toString('utf8');
      at = stop + 1;
      if (header.length > longestHeader) throw new UnexpectedAnswer(unexpected);
      if (end < 0) continue;
      const frame = frameOf(header);
      header = '';
      if (frame === undefined) {
        if (++unknown > mostUnknown) throw new UnexpectedAnswer(unexpected);
        continue;
      }
      if (frame.type !== 'size') yield frame;
      else ({ left, stream } = frame);
    }
  }
}

const unexpected = 'The machine answered with something unexpected.';

type Size = { readonly type: 'size'; readonly left: number; readonly stream: JobStream };

function frameOf(header: string): AgentFrame | Size | undefined {
  const [kind, ...words] = header.split(' ');
  switch (kind) {
    case 'O':
    case 'E': {
      const left = Number(words[0]);
      return Number.isSafeInteger(left) && left >= 0
        ? { type: 'size', left, stream: kind === 'O' ? 'stdout' : 'stderr' }
        : undefined;
    }
    case '.':
      return { type: 'beat' };
    case 'J':
      return { type: 'left', words };
    case 'X':
      return { type: 'end', fields: fieldsOf(words) };
    case 'F':
      return { type: 'facts', words };
    case 'L':
      return { type: 'lease', words };
    case 'W':
      return { type: 'wait', words };
    default:
      return undefined;
  }
}

const fieldsOf = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words.flatMap((word) => {
      const at = word.indexOf('=');
      return at < 0 ? [] : [[word.slice(0, at), word.slice(at + 1)] as const];
    }),
  );
