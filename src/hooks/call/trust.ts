import type { WebProvider } from '#hooks/providers/web/wire/web-wire.ts';
import type { OutgoingTls } from '#edge/outgoing/outgoing.ts';
import { problem, type Made } from './request-headers.ts';
import type { Secrets } from './secrets.ts';

type Fields = Pick<WebProvider, 'insecure' | 'caBundle' | 'clientCertificate'>;

/** The TLS settings of a call; undefined if none is set. */
export async function trustOf(fields: Fields, secrets: Secrets): Promise<Made<OutgoingTls | undefined>> {
  const { insecure, caBundle, clientCertificate } = fields;
  if (insecure !== true && caBundle === undefined && clientCertificate === undefined)
    return { type: 'made', value: undefined };
  const ca = caBundle === undefined ? undefined : pemOf(caBundle);
  if (ca === null) return problem('caBundle is neither PEM nor PEM in base64');
  const shown = await pairOf(clientCertificate?.secretName, secrets);
  if (shown.type === 'problem') return problem(`clientCertificate: ${shown.message}`);
  return {
    type: 'made',
    value: {
      ...(insecure === true ? { insecure } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...shown.value,
    },
  };
}

async function pairOf(
  name: string | undefined,
  secrets: Secrets,
): Promise<Made<Pick<OutgoingTls, 'cert' | 'key'>>> {
  if (name === undefined) return { type: 'made', value: {} };
  const [cert, key] = await Promise.all([secrets.read(name, 'tls.crt'), secrets.read(name, 'tls.key')]);
  if (cert.type === 'missing') return problem(cert.message);
  if (key.type === 'missing') return problem(key.message);
  return { type: 'made', value: { cert: cert.value, key: key.value } };
}

const begins = '-----BEGIN ';

function pemOf(text: string): string | null {
  if (text.includes(begins)) return text;
  try {
    const decoded = atob(text.replaceAll(/\s/g, ''));
    return decoded.includes(begins) ? decoded : null;
  } catch {
    return null;
  }
}
