import type { HookPhase } from '#registrations/kinds/hook.ts';
import { phaseHeader, requestIdHeader } from '#registrations/kinds/hook-headers.ts';
import type { JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { Made } from '#hooks/call/request-headers.ts';
import { trustOf } from '#hooks/call/trust.ts';
import type { RegisteredHook } from '#registrations/model/registration.ts';
import type { OutgoingRequest, OutgoingTls } from '#edge/outgoing/outgoing.ts';
import { hookCredentials, type Means as CredentialMeans, type Signer } from './hook-credentials.ts';
import { caBundleOf, type LookupObject } from './hook-references.ts';

export type HookCall = {
  readonly phase: HookPhase;
  readonly request: JsonObject;
  /** `namespace/name` of the instance. */
  readonly instance: string;
};

type Means = CredentialMeans & { readonly url: string; readonly lookup: LookupObject };

/** The HTTP request of a call, or what is missing for it. */
export async function outgoingRequest(
  sender: Signer,
  { url, lookup, ...means }: Means,
  { phase, request }: HookCall,
): Promise<Made<OutgoingRequest>> {
  const { hook, random } = sender;
  const trust = await trustOf(trustWish(hook, lookup), means.secrets);
  if (trust.type === 'problem') return trust;
  const body = printJson(request);
  const credentials = await hookCredentials(sender, means, body);
  if (credentials.type === 'problem') return credentials;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    [requestIdHeader]: random.uuid(),
    [phaseHeader]: phase,
    ...credentials.value.headers,
    ...credentials.value.sign(),
  };
  const value = {
    method: 'POST',
    url,
    headers,
    body,
    timeout: hook.timeout,
    maxBytes: hook.maxReplyBytes,
    // The signature and the trusted authorities are for this address only.
    redirects: 'refuse' as const,
    // A repeated request has the same request id.
    isRepeatable: true,
    headersOfRepeat: credentials.value.sign,
    ...tlsOf(hook, trust.value),
  };
  return { type: 'made', value };
}

function trustWish(hook: RegisteredHook, lookup: LookupObject): Parameters<typeof trustOf>[0] {
  const caBundle = caBundleOf(hook, lookup);
  const { clientCertificate } = hook.tls;
  return {
    ...(caBundle === undefined ? {} : { caBundle }),
    ...(clientCertificate === undefined ? {} : { clientCertificate: { secretName: clientCertificate } }),
  };
}

function tlsOf(
  { tls: { serverName } }: RegisteredHook,
  trust: OutgoingTls | undefined,
): Pick<OutgoingRequest, 'tls'> {
  if (serverName === undefined) return trust === undefined ? {} : { tls: trust };
  return { tls: { ...trust, serverName } };
}
