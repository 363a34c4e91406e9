import type { Phase } from '#api/registration/hook.ts';
import {
  phaseHeader,
  requestIdHeader,
  signatureHeader,
  signatureOf,
  signedText,
  timestampHeader,
} from '#api/registration/hook-headers.ts';
import type { JsonObject } from '#base/json.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import type { Made } from '#control/hook/providers/request-headers.ts';
import type { Secrets } from '#control/hook/providers/secrets.ts';
import { trustOf } from '#control/hook/providers/trust.ts';
import type { HookSpec } from '#decide/registration/registration.ts';
import type { OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { caBundleOf, type KeptObject } from './hook-secrets.ts';

export type HookOrder = { readonly phase: Phase; readonly request: JsonObject };

type Sender = Pick<ControlDeps, 'hmac' | 'clock' | 'random'> & { readonly hook: HookSpec };
type Means = { readonly url: string; readonly kept: KeptObject; readonly secrets: Secrets };

/** What goes over the wire, or what is missing for it. */
export async function hookMessage(
  sender: Sender,
  { url, kept, secrets }: Means,
  { phase, request }: HookOrder,
): Promise<Made<OutgoingRequest>> {
  const { hook, random } = sender;
  const trust = await trustOf(trustWish(hook, kept), secrets);
  if (trust.type === 'problem') return trust;
  const body = JSON.stringify(request);
  const credentials = await credentialsOf(sender, secrets, body);
  if (credentials.type === 'problem') return credentials;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    [requestIdHeader]: random.uuid(),
    [phaseHeader]: phase,
    ...credentials.value,
  };
  const value = {
    method: 'POST',
    url,
    headers,
    body,
    timeout: hook.timeout,
    maxBytes: hook.maxReplyBytes,
    // What is signed and who is trusted hold for this address alone (H-10).
    redirects: 'refuse' as const,
    // With the same request id (§6.2).
    isRepeatable: true,
    ...(trust.value === undefined ? {} : { tls: trust.value }),
  };
  return { type: 'made', value };
}

function trustWish(hook: HookSpec, kept: KeptObject): Parameters<typeof trustOf>[0] {
  const caBundle = caBundleOf(hook, kept);
  const { clientCertificate } = hook.tls;
  return {
    ...(caBundle === undefined ? {} : { caBundle }),
    ...(clientCertificate === undefined ? {} : { clientCertificate: { secretName: clientCertificate } }),
  };
}

async function credentialsOf(
  { hook, clock, hmac }: Sender,
  secrets: Secrets,
  body: string,
): Promise<Made<Readonly<Record<string, string>>>> {
  const headers: Record<string, string> = {};
  const { bearer, hmac: key } = hook.auth;
  if (bearer !== undefined) {
    const read = await secrets.read(bearer.name, bearer.key);
    if (read.type === 'missing') return { type: 'problem', message: `auth.bearer: ${read.message}` };
    headers['authorization'] = `Bearer ${read.value.trim()}`;
  }
  if (key !== undefined) {
    const read = await secrets.read(key.name, key.key);
    if (read.type === 'missing') return { type: 'problem', message: `auth.hmac: ${read.message}` };
    const timestamp = String(Math.floor(clock.now() / 1000));
    headers[timestampHeader] = timestamp;
    headers[signatureHeader] = signatureOf(hmac(read.value, signedText(timestamp, body)));
  }
  return { type: 'made', value: headers };
}
