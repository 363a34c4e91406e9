import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { fingerprintOfLine, makeSshKey } from './make-key.ts';

test('every key can be read: two thousand of them, of which ssh2 alone makes about eight that cannot', () => {
  for (let count = 0; count < 2000; count += 1) {
    const { privateKey, publicKey } = makeSshKey('test');
    for (const key of [privateKey, publicKey])
      expect(ssh2.utils.parseKey(key), key).not.toBeInstanceOf(Error);
  }
});

test('a fingerprint is what ssh-keygen prints', () => {
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f test';
  expect(fingerprintOfLine(line)).toBe('SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA');
});
