import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { clusterDomainHere } from './cluster-domain.ts';

test('the flag, the environment, the resolver, and the usual one at last', () => {
  using folder = tempDir();
  const file = join(folder.path, 'resolv.conf');
  vi.stubEnv('CLUSTER_DOMAIN', undefined);
  try {
    expect(clusterDomainHere(undefined, file)).toBe('cluster.local');
    writeFileSync(file, 'search a.svc.corp.example svc.corp.example corp.example\n');
    expect(clusterDomainHere(undefined, file)).toBe('corp.example');
    vi.stubEnv('CLUSTER_DOMAIN', 'other.example');
    expect(clusterDomainHere(undefined, file)).toBe('other.example');
    expect(clusterDomainHere('mine.example', file)).toBe('mine.example');
  } finally {
    vi.unstubAllEnvs();
  }
});
