// The library needs reflect-metadata to be there first.
import 'reflect-metadata';
import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { later, minutes } from '#base/time.ts';
import type { CertificateSpec } from './certificate-check.ts';
import type { KeyPair } from './certificate-file.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes a key and a certificate for it, signed by the given issuer or self-signed. */
export async function makePair(wanted: CertificateSpec): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const issuer = wanted.issuer === undefined ? undefined : await issuerOf(wanted.issuer);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject: wanted.subject,
      issuer: issuer?.subject ?? wanted.subject,
      // Clocks of clients may be a little behind.
      notBefore: new Date(later(wanted.now, minutes(-60))),
      notAfter: new Date(later(wanted.now, wanted.lifetime)),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: issuer?.key ?? keys.privateKey,
      extensions: [
        ...(wanted.issuer === undefined ? caExtensions() : leafExtensions(wanted.hosts)),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await x509.AuthorityKeyIdentifierExtension.create(
          issuer?.publicKey ?? keys.publicKey,
          false,
          webcrypto,
        ),
      ],
    },
    webcrypto,
  );
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: `${certificate.toString('pem')}\n`, key };
}

async function issuerOf(
  pair: KeyPair,
): Promise<{ subject: string; key: webcrypto.CryptoKey; publicKey: x509.PublicKey }> {
  const certificate = new x509.X509Certificate(pair.certificate);
  const der = createPrivateKey(pair.key).export({ type: 'pkcs8', format: 'der' });
  const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  return { subject: certificate.subject, key, publicKey: certificate.publicKey };
}

/** Twenty octets at most, and never negative. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

function caExtensions(): x509.Extension[] {
  const usages =
    x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature;
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(usages, true),
  ];
}

function leafExtensions(hosts: readonly string[] | undefined): x509.Extension[] {
  const purpose = hosts === undefined ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth;
  const extensions = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([purpose]),
  ];
  if (hosts === undefined) return extensions;
  const names = hosts.map((value) => ({
    type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
    value,
  }));
  return [...extensions, new x509.SubjectAlternativeNameExtension(names)];
}
