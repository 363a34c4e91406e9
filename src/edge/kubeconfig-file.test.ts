import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeKubeconfig } from './kubeconfig-file.ts';
import { tempDir } from './testing/temp-dir.ts';

test('the kubeconfig names one cluster, one user and one context, and only its owner can read it', () => {
  using dir = tempDir();
  const path = join(dir.path, 'deep', 'kubeconfig');
  const access = {
    server: 'https://127.0.0.1:6443',
    ca: 'ca pem\n',
    client: { certificate: 'crt\n', key: 'key\n' },
  };
  writeKubeconfig(path, access);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  expect(parse(readFileSync(path, 'utf8'))).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'boathook',
    clusters: [
      {
        name: 'boathook',
        cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': base64('ca pem\n') },
      },
    ],
    contexts: [
      { name: 'boathook', context: { cluster: 'boathook', user: 'boathook', namespace: 'default' } },
    ],
    users: [
      {
        name: 'boathook',
        user: { 'client-certificate-data': base64('crt\n'), 'client-key-data': base64('key\n') },
      },
    ],
    preferences: {},
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an existing file that others could read is replaced by a private one', () => {
  using dir = tempDir();
  const path = join(dir.path, 'kubeconfig');
  writeFileSync(path, 'old', { mode: 0o644 });
  writeKubeconfig(path, { server: 'https://[::1]:1', ca: '', client: { certificate: '', key: '' } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(parse(readFileSync(path, 'utf8')).clusters[0].cluster.server).toBe('https://[::1]:1');
});
