import { printJson } from '#base/json-text.ts';
import type { WebProvider } from '#hooks/providers/web/wire/web-wire.ts';
import { nonceSignature, signatureOf } from '#registrations/kinds/hook-headers.ts';
import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import { fillJson, fillText, fillUrl } from '#hooks/decide/placeholders.ts';
import type { OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { idempotencyHeader } from './idempotency-key.ts';
import { secretsInUrl } from '#hooks/call/redact.ts';
import { problem, problemOfName, type Made } from '#hooks/call/request-headers.ts';
import { partsOf } from '#hooks/providers/request-parts.ts';
import type { Secrets } from '#hooks/call/secrets.ts';

export type Signing = {
  /** Signs a text with a key: HMAC-SHA256 in hex. */
  readonly hmac: (key: string, text: string) => string;
  readonly clock: Clock;
  readonly random: Random;
};

type Asked = {
  readonly web: WebProvider;
  readonly args: ReadonlyMap<string, string>;
  readonly secrets: Secrets;
  readonly signing: Signing;
  readonly idempotencyKey: string;
};

const longestAnswer = 1_048_576;

/** The request for a metric. */
export async function webRequest(asked: Asked): Promise<Made<OutgoingRequest>> {
  const { web, args, secrets, signing } = asked;
  const url = fillUrl(web.url, args);
  if (url.type === 'problem') return problem(`url: ${url.message}`);
  for (const value of secretsInUrl(url.value)) secrets.add(value);
  const body = bodyOf(web, args);
  if (body.type === 'problem') return body;
  const parts = await partsOf(web, args, secrets, 10);
  if (parts.type === 'problem') return parts;
  const text = body.value?.text;
  const signed = await signatureHeaders(web, text ?? '', secrets, signing);
  if (signed.type === 'problem') return signed;
  const type = body.value === undefined ? {} : { 'content-type': body.value.type };
  return {
    type: 'made',
    value: {
      ...parts.value,
      method: web.method ?? (text === undefined ? 'GET' : 'POST'),
      url: url.value,
      headers: {
        accept: 'application/json, */*;q=0.5',
        [idempotencyHeader]: asked.idempotencyKey,
        ...type,
        ...parts.value.headers,
        ...signed.value,
      },
      ...(text === undefined ? {} : { body: text }),
      maxBytes: longestAnswer,
    },
  };
}

function bodyOf(
  { body, jsonBody }: WebProvider,
  args: ReadonlyMap<string, string>,
): Made<{ readonly text: string; readonly type: string } | undefined> {
  if (body !== undefined && jsonBody !== undefined)
    return problem('there are both a body and a jsonBody: give one of them');
  if (jsonBody !== undefined) {
    const filled = fillJson(jsonBody, args);
    return filled.type === 'problem'
      ? problem(`jsonBody: ${filled.message}`)
      : { type: 'made', value: { text: printJson(filled.value), type: 'application/json' } };
  }
  if (body === undefined) return { type: 'made', value: undefined };
  const filled = fillText(body, args);
  return filled.type === 'problem'
    ? problem(`body: ${filled.message}`)
    : { type: 'made', value: { text: filled.value, type: 'text/plain; charset=utf-8' } };
}

async function signatureHeaders(
  { hmac: signature }: WebProvider,
  text: string,
  secrets: Secrets,
  { hmac, clock, random }: Signing,
): Promise<Made<Record<string, string>>> {
  if (signature === undefined) return { type: 'made', value: {} };
  const name = signature.header ?? 'X-Boathook-Signature-256';
  const refusal = problemOfName(name);
  if (refusal !== undefined) return problem(`hmac: ${refusal}`);
  const key = await secrets.read(signature.secretKeyRef.name, signature.secretKeyRef.key);
  if (key.type === 'missing') return problem(`hmac: ${key.message}`);
  const once = nonceSignature({ hmac, key: key.value, now: clock.now(), nonce: random.uuid() }, text);
  return { type: 'made', value: { ...once, [name.toLowerCase()]: signatureOf(hmac(key.value, text)) } };
}
