import { join } from 'node:path';
import type { Instant } from '#base/time.ts';
import { days, readPair, storePair, type KeyPair } from './certificate-file.ts';
import { stillGood, type CertificateSpec } from './certificate-check.ts';
import { makeFolder } from './make-folder.ts';

/** Everything TLS needs here, in PEM. */
export type Certificates = {
  readonly ca: string;
  readonly server: KeyPair;
  readonly admin: KeyPair;
};

/** Names and addresses every server certificate carries. */
export const serverNames: readonly string[] = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '10.0.0.1',
];

/**
 * The certificates of a data directory: made at the first start, reused as long as they are valid, match
 * their keys and the CA, and name every wanted host. A new CA means new certificates below it.
 */
export async function ensureCertificates(
  dataDir: string,
  options: { readonly now: Instant; readonly extraHosts?: readonly string[] },
): Promise<Certificates> {
  const folder = join(dataDir, 'pki');
  makeFolder(folder);
  const { now, extraHosts = [] } = options;
  const ca = await keepOrMake(folder, 'ca', {
    subject: 'CN=boathook-ca',
    issuer: undefined,
    now,
    lifetime: days(3650),
  });
  const leaf = { issuer: ca, now, lifetime: days(365) };
  const server = await keepOrMake(folder, 'server', {
    ...leaf,
    subject: 'CN=boathook-apiserver',
    hosts: [...new Set([...serverNames, ...extraHosts])],
  });
  const admin = await keepOrMake(folder, 'admin', {
    ...leaf,
    subject: 'O=system:masters, CN=boathook-admin',
  });
  return { ca: ca.certificate, server, admin };
}

async function keepOrMake(folder: string, name: string, wanted: CertificateSpec): Promise<KeyPair> {
  const kept = readPair(folder, name);
  if (kept !== undefined && stillGood(kept, wanted)) return kept;
  // The library takes a good part of a second to load, so only a start that needs it pays.
  const { makePair } = await import('./certificate-make.ts');
  const made = await makePair(wanted);
  storePair(folder, name, made);
  return made;
}
