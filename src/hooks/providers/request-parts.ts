import type { WebProvider } from '#hooks/providers/web/wire/web-wire.ts';
import { seconds, type Millis } from '#base/time.ts';
import type { OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { headersOf, type Made } from '#hooks/call/request-headers.ts';
import type { Secrets } from '#hooks/call/secrets.ts';
import { trustOf } from '#hooks/call/trust.ts';

type Fields = Pick<WebProvider, 'headers' | 'timeoutSeconds' | 'insecure' | 'caBundle' | 'clientCertificate'>;
type Parts = Pick<OutgoingRequest, 'headers' | 'timeout' | 'tls'>;

/** The parts of a request that all HTTP providers have: headers, timeout and TLS. */
export async function partsOf(
  fields: Fields,
  args: ReadonlyMap<string, string>,
  secrets: Secrets,
  usualSeconds: number,
): Promise<Made<Parts>> {
  const headers = await headersOf(fields.headers, args, secrets);
  if (headers.type === 'problem') return headers;
  const tls = await trustOf(fields, secrets);
  if (tls.type === 'problem') return tls;
  const timeout = timeoutOf(fields.timeoutSeconds, usualSeconds);
  const trust = tls.value === undefined ? {} : { tls: tls.value };
  return { type: 'made', value: { headers: headers.value, timeout, ...trust } };
}

/** Zero and negative numbers mean the default. */
const timeoutOf = (given: number | undefined, usual: number): Millis =>
  seconds(given === undefined || given <= 0 ? usual : given);
