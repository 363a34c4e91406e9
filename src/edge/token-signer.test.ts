import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from './testing/temp-dir.ts';
import { ensureTokenSigner, passingTokenSigner } from './token-signer.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token gives its claims back', () => {
  const signer = passingTokenSigner();
  const claims = { sub: 'x', aud: ['ä'], exp: 5 };
  const token = signer.sign(claims);
  expect(token.split('.')).toHaveLength(3);
  expect(signer.verify(token)).toEqual(claims);
});

test('the key is kept where only its owner reads it, and outlives a restart', () => {
  using folder = tempDir();
  const token = ensureTokenSigner(folder.path).sign({ sub: 'x' });
  const file = join(folder.path, 'pki', 'service-account.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kept = readFileSync(file, 'utf8');
  expect(ensureTokenSigner(folder.path).verify(token)).toEqual({ sub: 'x' });
  expect(readFileSync(file, 'utf8')).toBe(kept);
});

test.for(['', 'garbage', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'])(
  'a key file that holds no key is replaced (%#)',
  (content) => {
    using folder = tempDir();
    ensureTokenSigner(folder.path);
    writeFileSync(join(folder.path, 'pki', 'service-account.key'), content);
    const signer = ensureTokenSigner(folder.path);
    expect(signer.verify(signer.sign({ a: 1 }))).toEqual({ a: 1 });
  },
);

test('tokens of another key, without a signature or with another algorithm are nobody’s', () => {
  const signer = passingTokenSigner();
  const token = signer.sign({ sub: 'x' });
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const forged = [
    passingTokenSigner().sign({ sub: 'x' }),
    `${header}.${claims}.`,
    `${header}.${claims}`,
    `${header}.${encode({ sub: 'y' })}.${signature}`,
    `${encode({ alg: 'none', kid })}.${claims}.`,
    `${encode({ alg: 'HS256', kid })}.${claims}.${signature}`,
    `${token}.x`,
    `${token}=`,
    '',
    '..',
  ];
  for (const each of forged) expect(signer.verify(each)).toBeUndefined();
});

test('no other text is ever taken for a token', () => {
  const signer = passingTokenSigner();
  const token = signer.sign({ sub: 'x' });
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '.', '-', ''), (at, letter) => {
      const changed = token.slice(0, at) + letter + token.slice(at + 1);
      fc.pre(changed !== token);
      expect(signer.verify(changed)).toBeUndefined();
    }),
  );
});
