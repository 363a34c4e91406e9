import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { later, type Instant, type Millis } from '#base/time.ts';
import { days, type KeyPair } from './certificate-file.ts';

/** The required content of a certificate. Without an issuer it is a self-signed CA. */
export type CertificateSpec = {
  readonly subject: string;
  readonly issuer: KeyPair | undefined;
  readonly now: Instant;
  readonly lifetime: Millis;
  /** Names and addresses of a server; undefined for a client. */
  readonly hosts?: readonly string[];
};

/** A certificate is renewed when less than this is left. */
const margin = days(30);

/** Whether a stored pair can be used as it is. Unreadable files count as bad: they are made anew. */
export function stillGood(pair: KeyPair, wanted: CertificateSpec): boolean {
  try {
    const certificate = new X509Certificate(pair.certificate);
    return (
      isInTime(certificate, wanted.now) &&
      certificate.checkPrivateKey(createPrivateKey(pair.key)) &&
      isSignedBy(certificate, wanted.issuer) &&
      (wanted.hosts ?? []).every((host) => isNamed(certificate, host))
    );
  } catch {
    return false;
  }
}

function isInTime(certificate: X509Certificate, now: Instant): boolean {
  return certificate.validFromDate.getTime() <= now && certificate.validToDate.getTime() > later(now, margin);
}

function isSignedBy(certificate: X509Certificate, issuer: KeyPair | undefined): boolean {
  const by = issuer === undefined ? certificate : new X509Certificate(issuer.certificate);
  return by.ca && certificate.checkIssued(by) && certificate.verify(by.publicKey);
}

function isNamed(certificate: X509Certificate, host: string): boolean {
  const found =
    isIP(host) === 0 ? certificate.checkHost(host, { subject: 'never' }) : certificate.checkIP(host);
  return found !== undefined;
}
