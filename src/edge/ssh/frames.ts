export type JobStream = 'stdout' | 'stderr';

/** What an agent sends: pieces of a job's output, and last how it ended; and words about itself. */
export type Frame =
  | { readonly type: 'piece'; readonly stream: JobStream; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly fields: Readonly<Record<string, string>> }
  | { readonly type: 'facts' | 'lease' | 'wait'; readonly words: readonly string[] };

const longestHeader = 1024;
const newline = 10;

/** Reads an agent's output piece by piece; nothing is gathered, however long a piece of the job's output is. */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let header = '';
  let left = 0;
  let stream: JobStream = 'stdout';
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
      if (header.length > longestHeader) throw new Error('The machine answered with something unexpected.');
      if (end < 0) continue;
      const frame = frameOf(header);
      header = '';
      if (frame === undefined) continue;
      if (frame.type !== 'size') yield frame;
      else ({ left, stream } = frame);
    }
  }
}

type Size = { readonly type: 'size'; readonly left: number; readonly stream: JobStream };

function frameOf(header: string): Frame | Size | undefined {
  const [kind, ...words] = header.split(' ');
  switch (kind) {
    case 'O':
    case 'E':
      return { type: 'size', left: Number(words[0]), stream: kind === 'O' ? 'stdout' : 'stderr' };
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
