import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteMask } from './mask-bytes.ts';

function masked(pieces: readonly Uint8Array[], secrets: readonly string[]): string {
  const mask = byteMask(secrets);
  return Buffer.concat([...pieces.map((piece) => mask.push(piece)), mask.end()]).toString();
}

const key = '-----BEGIN KEY-----\nQWxsZXMgaXN0IGdlaGVpbQ\nTm9jaCBlaW5lIFplaWxlISE\n-----END KEY-----\n';

test.for<[string, readonly string[], string]>([
  ['the password is hunter22!', ['hunter22'], 'the password is ***!'],
  ['aHVudGVyMjI= in base64', ['hunter22'], '***= in base64'],
  ['päss and päss', ['päss'], '*** and ***'],
  ['ababababc', ['ababc'], 'abab***'],
  ['short 123 stays', ['123'], 'short 123 stays'],
  ['hunter22-long and hunter22', ['hunter22', 'hunter22-long'], '*** and ***'],
  ['one line: TM Tm9jaCBlaW5lIFplaWxlISE', [key], 'one line: TM ***'],
  ['nothing', [], 'nothing'],
])('%j', ([text, secrets, shown]) => {
  expect(masked([Buffer.from(text)], secrets)).toBe(shown);
});

test('a secret is hidden however the bytes are cut', () => {
  const bytes = Buffer.from(`begin s3cret-é-s3cret ${'s3cret-é'.repeat(3)} s3cre end s3cret-`);
  const secrets = ['s3cret-é', 'cret-é-s3'];
  const whole = masked([bytes], secrets);
  expect(whole).toBe('begin ***-s3cret ********* s3cre end s3cret-');
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const at = [0, ...cuts.sort((left, right) => left - right), bytes.length];
      const shown = masked(
        at.slice(1).map((end, index) => bytes.subarray(at[index], end)),
        secrets,
      );
      expect(shown).toBe(whole);
    }),
  );
});
