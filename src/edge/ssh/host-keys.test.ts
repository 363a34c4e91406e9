import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { fingerprintOf, openHostKeys } from './host-keys.ts';
import type { SshHost } from './target.ts';

const keyOf = (seed: number): Buffer => {
  const type = Buffer.from('ssh-ed25519');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, type, Buffer.alloc(36, seed)]);
};
const host: SshHost = { address: '192.0.2.9', port: 22, login: { user: 'root', sudo: true, methods: [] } };

test('a key is recorded at first sight, and known from then on', () => {
  using folder = tempDir();
  const record = join(folder.path, 'deep', 'known_hosts');
  const keys = openHostKeys({ files: [], record, insecure: false });
  expect(keys.judge(host, keyOf(1))).toEqual({ type: 'recorded', fingerprint: fingerprintOf(keyOf(1)) });
  expect(keys.judge(host, keyOf(1))).toEqual({ type: 'accepted' });
  expect(keys.judge(host, keyOf(2))).toMatchObject({ type: 'refused' });
  const again = openHostKeys({ files: [], record, insecure: false });
  expect(again.judge(host, keyOf(1))).toEqual({ type: 'accepted' });
  expect(again.typesOf(host)).toEqual(['ssh-ed25519']);
  expect(readFileSync(record, 'utf8').split('\n').length).toBe(2);
});

test.for<{ what: string; host: SshHost; text: string; verdict: string; says: string }>([
  {
    what: 'an unknown key without a place to record it',
    host,
    text: '',
    verdict: 'refused',
    says: 'is not known',
  },
  {
    what: 'a changed key',
    host,
    text: `192.0.2.9 ssh-ed25519 ${keyOf(2).toString('base64')}\n`,
    verdict: 'refused',
    says: 'has changed',
  },
  {
    what: 'a revoked key',
    host,
    text: `@revoked * ssh-ed25519 ${keyOf(1).toString('base64')}\n`,
    verdict: 'refused',
    says: 'revoked',
  },
  {
    what: 'a pinned key that is another',
    host: { ...host, hostKey: fingerprintOf(keyOf(2)) },
    text: `192.0.2.9 ssh-ed25519 ${keyOf(1).toString('base64')}\n`,
    verdict: 'refused',
    says: 'is pinned',
  },
  {
    what: 'the pinned key',
    host: { ...host, hostKey: fingerprintOf(keyOf(1)) },
    text: '',
    verdict: 'accepted',
    says: '',
  },
  {
    what: 'one of two known keys',
    host,
    text: [2, 1].map((seed) => `192.0.2.9 ssh-ed25519 ${keyOf(seed).toString('base64')}\n`).join(''),
    verdict: 'accepted',
    says: '',
  },
])('$what is $verdict', ({ host, text, verdict, says }) => {
  using folder = tempDir();
  const file = join(folder.path, 'known_hosts');
  writeFileSync(file, text);
  const judged = openHostKeys({ files: [file], record: undefined, insecure: false }).judge(host, keyOf(1));
  expect(judged.type).toBe(verdict);
  expect(judged.type === 'refused' ? judged.message : '').toContain(says);
});
