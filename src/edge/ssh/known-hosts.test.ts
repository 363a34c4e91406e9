import { expect, test } from 'vitest';
import { parseKnownHosts, speaksOf } from './known-hosts.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJFc';
// HMAC-SHA1 of `10.0.0.9` with the salt before it.
const hashed = '|1|AAECAwQFBgcICQoLDA0ODxAREhM=|7Sw+0Vb5tGJ28dBxS+EFduLdaMw=';

test.for<{ names: string; address: string; port: number; fits: boolean }>([
  { names: '10.0.0.9', address: '10.0.0.9', port: 22, fits: true },
  { names: '10.0.0.9', address: '10.0.0.9', port: 2222, fits: false },
  { names: '[10.0.0.9]:2222', address: '10.0.0.9', port: 2222, fits: true },
  { names: 'a.example.com,10.0.0.9', address: '10.0.0.9', port: 22, fits: true },
  { names: '*.Example.com', address: 'a.example.COM', port: 22, fits: true },
  { names: '10.0.0.?', address: '10.0.0.9', port: 22, fits: true },
  { names: '10.0.0.?', address: '10.0.0.19', port: 22, fits: false },
  { names: '10x0.0.9', address: '10.0.0.9', port: 22, fits: false },
  { names: '10.0.0.9', address: '10x0.0.9', port: 22, fits: false },
  { names: '*,!10.0.0.9', address: '10.0.0.9', port: 22, fits: false },
  { names: '*,!10.0.0.9', address: '10.0.0.8', port: 22, fits: true },
  { names: hashed, address: '10.0.0.9', port: 22, fits: true },
  { names: hashed, address: '10.0.0.8', port: 22, fits: false },
])('$names speaks of $address:$port: $fits', ({ names, address, port, fits }) => {
  const [line] = parseKnownHosts(`${names} ${key} a comment\n`);
  expect(line !== undefined && speaksOf(line, address, port)).toBe(fits);
});

test('comments, blank lines and nonsense are left out; markers are kept', () => {
  const text = `# a comment\n\nnonsense\n@revoked bad ${key}\n@cert-authority *.example.com ${key}\ngood ${key}\r\n`;
  expect(parseKnownHosts(text).map(({ marker, names }) => [marker, ...names])).toEqual([
    ['revoked', 'bad'],
    ['cert-authority', '*.example.com'],
    ['none', 'good'],
  ]);
});
