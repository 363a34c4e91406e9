import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrames, type AgentFrame } from './frames.ts';

const text = 'F boot\nL taken 3 \nO 5\nhel\nlE 3\n.\n\n.\nX outcome=exited code=7 escaped=\n';

/** Pieces of the same stream that follow each other count as one. */
async function read(chunks: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let bytes = '';
  async function* feed(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  const flush = (): void => void (bytes !== '' && found.push(bytes) && (bytes = ''));
  let stream = '';
  for await (const frame of readFrames(feed())) {
    const piece: AgentFrame = frame;
    if (piece.type === 'piece') {
      if (piece.stream !== stream) flush();
      stream = piece.stream;
      bytes += Buffer.from(piece.bytes).toString();
    } else {
      flush();
      found.push(piece);
    }
  }
  return found;
}

const whole = [
  { type: 'facts', words: ['boot'] },
  { type: 'lease', words: ['taken', '3', ''] },
  'hel\nl',
  '.\n\n',
  { type: 'beat' },
  { type: 'end', fields: { outcome: 'exited', code: '7', escaped: '' } },
];

test('frames are the same however the bytes are cut', async () => {
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const at = [0, ...cuts.sort((left, right) => left - right), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(await read(chunks)).toEqual(whole);
    }),
  );
});

test('an endless header is no header', async () => {
  await expect(read([Buffer.alloc(5000, 120)])).rejects.toThrow('unexpected');
});

test('a machine that speaks another language is given up, not listened to for ever', async () => {
  await expect(read([Buffer.from('hello\n'.repeat(200))])).rejects.toThrow('unexpected');
  await expect(read([Buffer.from('O -1\nO x\nO 1e99\n'.repeat(60))])).rejects.toThrow('unexpected');
});
