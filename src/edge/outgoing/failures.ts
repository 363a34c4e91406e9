import { formatDuration } from '#base/duration.ts';
import { OutOfTime, type OutgoingCall, type CallStage } from './call.ts';
import { TooLarge, Undecodable } from './decode.ts';
import type { OutgoingFailure } from './outgoing.ts';
import { CallRefused } from './resolve.ts';

export type CallFailure = { readonly why: OutgoingFailure; readonly message: string };

/** Redirects that are not followed. */
export class RedirectRefused extends Error {}

export type FailedCall = {
  /** Scheme, host and port: paths, queries and users may be secret. */
  readonly origin: string;
  readonly call: OutgoingCall;
  readonly maxBytes: number;
  readonly callsPerHost: number;
};

/** The error message: which address, why, and what to do. */
export function failureOf(error: unknown, failed: FailedCall): CallFailure {
  const { origin, maxBytes } = failed;
  if (error instanceof OutOfTime) return { why: 'timeout', message: tooSlow(failed) };
  if (error instanceof CallRefused) return { why: 'policy', message: error.message };
  if (error instanceof RedirectRefused) return { why: 'redirects', message: error.message };
  if (error instanceof TooLarge)
    return {
      why: 'too-large',
      message: `${origin} sent more than ${maxBytes} bytes (decompressed): ask for less`,
    };
  if (error instanceof Undecodable)
    return { why: 'broken', message: `the answer of ${origin} ${error.message}` };
  return ofSystem(error, origin);
}

const stages: Readonly<Record<CallStage, (failed: FailedCall, span: string) => string>> = {
  turn: ({ origin, callsPerHost }, span) =>
    `${origin} was not called: ${callsPerHost} calls to it were under way for all of ${span}`,
  connect: ({ origin }, span) => `${origin} did not take a connection within ${span}`,
  headers: ({ origin }, span) => `${origin} took the request and did not answer within ${span}`,
  body: ({ origin, call }, span) =>
    `${origin} began to answer and was not done after ${span} (${call.received} bytes came)`,
};

const tooSlow = (failed: FailedCall): string =>
  stages[failed.call.stage](failed, formatDuration(failed.call.timeout));

type Row = readonly [codes: RegExp, why: OutgoingFailure, says: (origin: string, code: string) => string];

/** By the codes of the system, of OpenSSL, of the parser and of the client; the first that fits. */
const rows: readonly Row[] = [
  [
    /^ENOTFOUND$/,
    'dns',
    (origin) =>
      `the host of ${origin} is not known: check its name, and whether it is in the right namespace`,
  ],
  [
    /^(?:EAI_|EDNS|ENODATA)/,
    'dns',
    (origin) => `the host of ${origin} could not be looked up: the name service does not answer`,
  ],
  [/^ECONNREFUSED$/, 'connect', (origin) => `${origin} refused the connection: nothing listens on that port`],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN|EINVAL|EACCES|EPERM)$/,
    'connect',
    (origin, code) => `${origin} cannot be reached from here (${code})`,
  ],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    'connect',
    (origin) => `${origin} did not take a connection: is a firewall in between?`,
  ],
  [
    /^(?:EMFILE|ENFILE)$/,
    'connect',
    (origin) => `${origin} was not called: this process has too many files open`,
  ],
  [
    /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
    'tls',
    (origin, code) =>
      `the certificate of ${origin} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'tls',
    (origin) => `the certificate of ${origin} is for other hosts: call it by a name that is in it`,
  ],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_)/,
    'tls',
    (origin, code) =>
      `the certificate of ${origin} is signed by an unknown authority (${code}): set the CA certificate in caBundle`,
  ],
  [
    /^ERR_SSL_WRONG_VERSION_NUMBER$|^ERR_SSL_PACKET_LENGTH_TOO_LONG$/,
    'tls',
    (origin) => `${origin} does not speak TLS: is it http?`,
  ],
  [
    /^(?:ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|ERR_SSL_\w*ALERT\w*)$/,
    'tls',
    (origin, code) => `${origin} ended the TLS handshake (${code}): it may want a client certificate`,
  ],
  [
    /^ERR_OSSL/,
    'tls',
    (origin, code) => `the certificate or key to show to ${origin} cannot be read (${code})`,
  ],
  [
    /^(?:ERR_SSL|ERR_TLS|EPROTO|ERR_CRYPTO)/,
    'tls',
    (origin, code) => `no TLS connection to ${origin} came about (${code})`,
  ],
  [
    /^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    'too-large',
    (origin) => `${origin} answered with headers of more than 16 KiB`,
  ],
  [/^(?:HPE_|HTTPParserError$)/, 'broken', (origin) => `${origin} answered with something that is not HTTP`],
  [
    /^UND_ERR_INVALID_ARG$/,
    'url',
    (origin) => `the request to ${origin} has a header or path with letters that HTTP does not allow`,
  ],
  [
    /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_ABORTED)$/,
    'broken',
    (origin) => `${origin} closed the connection before its answer was complete`,
  ],
];

function ofSystem(error: unknown, origin: string): CallFailure {
  const code = codeOf(error);
  const row = rows.find(([codes]) => codes.test(code));
  if (row === undefined) return { why: 'broken', message: `the call to ${origin} failed (${code})` };
  return { why: row[1], message: row[2](origin, code) };
}

/** Several addresses were tried: the error of one that refused is more useful than that of an unreachable one. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const codes = error.errors.map(codeOf);
    return codes.find((code) => code === 'ECONNREFUSED') ?? codes[0] ?? error.name;
  }
  if (typeof error !== 'object' || error === null) return 'unknown failure';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown failure';
}

/**
 * A kept connection that the server gave up just when it was used again. It had answered before, and of this
 * request it sent nothing: a retry is what the server expects.
 */
export function isStale(error: unknown, { stage }: OutgoingCall, hasAnswered: boolean): boolean {
  if (!hasAnswered || stage !== 'headers' || !/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error)))
    return false;
  const socket = (error as { readonly socket?: { readonly bytesRead?: number } | null }).socket;
  return socket?.bytesRead === undefined || socket.bytesRead > 0;
}
