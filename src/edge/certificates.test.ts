import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { later, type Instant } from '#base/time.ts';
import { days } from './certificate-file.ts';
import { ensureCertificates, serverNames, type Certificates } from './certificates.ts';
import { systemClock } from './clock.ts';
import { moduleUrl, startChild } from './testing/child.ts';
import { tempDir } from './testing/temp-dir.ts';

const now = systemClock.now();
const certificate = (pem: string): X509Certificate => new X509Certificate(pem);

test('the first start makes a CA, a server and an administrator', async () => {
  using dir = tempDir();
  const made = await ensureCertificates(dir.path, { now, extraHosts: ['box.lan', '192.0.2.9'] });
  const ca = certificate(made.ca);
  expect(ca.ca).toBe(true);
  for (const { certificate: pem } of [made.server, made.admin])
    expect(certificate(pem).verify(ca.publicKey)).toBe(true);
  expect(certificate(made.admin.certificate).subject).toBe('O=system:masters\nCN=boathook-admin');
  const names = certificate(made.server.certificate).subjectAltName ?? '';
  for (const name of [...serverNames, 'box.lan', '192.0.2.9']) {
    expect(names).toContain(name === '::1' ? '0:0:0:0:0:0:0:1' : name);
  }
});

test('keys are for the owner only', async () => {
  using dir = tempDir();
  await ensureCertificates(dir.path, { now });
  const keys = readdirSync(join(dir.path, 'pki')).filter((name) => name.endsWith('.key'));
  expect(keys.sort()).toEqual(['admin.key', 'ca.key', 'server.key']);
  for (const key of keys) expect(statSync(join(dir.path, 'pki', key)).mode & 0o777).toBe(0o600);
});

type Kept = { ca: boolean; server: boolean; admin: boolean };

const compare = (before: Certificates, after: Certificates): Kept => ({
  ca: before.ca === after.ca,
  server: before.server.certificate === after.server.certificate,
  admin: before.admin.certificate === after.admin.certificate,
});

type Change = {
  name: string;
  at?: Instant;
  extraHosts?: string[];
  edit?: (folder: string) => void;
  kept: Kept;
};

test.for<Change>([
  { name: 'nothing changed', kept: { ca: true, server: true, admin: true } },
  {
    name: 'a year less a month is near',
    at: later(now, days(340)),
    kept: { ca: true, server: false, admin: false },
  },
  {
    name: 'the CA is near its end',
    at: later(now, days(3640)),
    kept: { ca: false, server: false, admin: false },
  },
  { name: 'the clock went back', at: later(now, days(-5)), kept: { ca: false, server: false, admin: false } },
  { name: 'a host was added', extraHosts: ['new.lan'], kept: { ca: true, server: false, admin: true } },
  { name: 'an address was added', extraHosts: ['192.0.2.3'], kept: { ca: true, server: false, admin: true } },
  {
    name: 'a key is lost',
    edit: (folder) => rmSync(join(folder, 'admin.key')),
    kept: { ca: true, server: true, admin: false },
  },
  {
    name: 'a crash mixed two pairs',
    edit: (folder) => writeFileSync(join(folder, 'server.key'), readFileSync(join(folder, 'admin.key'))),
    kept: { ca: true, server: false, admin: true },
  },
  {
    name: 'a file is rubbish',
    edit: (folder) => writeFileSync(join(folder, 'ca.crt'), 'rubbish'),
    kept: { ca: false, server: false, admin: false },
  },
])('$name', async ({ at = now, extraHosts = [], edit, kept }) => {
  using dir = tempDir();
  const before = await ensureCertificates(dir.path, { now });
  edit?.(join(dir.path, 'pki'));
  const after = await ensureCertificates(dir.path, { now: at, extraHosts });
  expect(compare(before, after)).toEqual(kept);
  expect(certificate(after.server.certificate).verify(certificate(after.ca).publicKey)).toBe(true);
});

test('a start that makes nothing does not load the X.509 library', async () => {
  using dir = tempDir();
  await ensureCertificates(dir.path, { now });
  const child = startChild(
    `
    import { ensureCertificates } from '${moduleUrl('certificates.ts')}';
    const made = await ensureCertificates(process.argv[1], { now: Date.now(), extraHosts: process.argv.slice(2) });
    console.log(typeof Reflect.getMetadata, made.ca.length > 0);
  `,
    dir.path,
  );
  // The library brings Reflect.getMetadata with it.
  expect((await child.lines.next()).value).toBe('undefined true');
});
