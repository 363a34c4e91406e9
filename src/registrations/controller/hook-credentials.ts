import {
  nonceSignature,
  signatureHeader,
  signatureOf,
  signedText,
  timestampHeader,
} from '#registrations/kinds/hook-headers.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { problem, type Made } from '#hooks/call/request-headers.ts';
import type { Secrets } from '#hooks/call/secrets.ts';
import type { RegisteredHook } from '#registrations/model/registration.ts';
import { toBase64 } from '#base/base64.ts';

export type Signer = Pick<ControlDeps, 'hmac' | 'clock' | 'random'> & { readonly hook: RegisteredHook };

export type Means = {
  readonly secrets: Secrets;
  /** Values that are not masked: a reply may contain the user name. */
  readonly open: Secrets;
};

type Headers = Readonly<Record<string, string>>;

export type HookCredentials = {
  readonly headers: Headers;
  /** Signs the request with a new nonce. */
  readonly sign: () => Headers;
};

/** The authentication headers, or what is missing for them. */
export async function hookCredentials(
  sender: Signer,
  means: Means,
  body: string,
): Promise<Made<HookCredentials>> {
  const headers: Record<string, string> = {};
  for (const part of [bearer, basic]) {
    const made = await part(sender, means);
    if (made.type === 'problem') return made;
    Object.assign(headers, made.value);
  }
  const sign = await signature(sender, means, body);
  return sign.type === 'problem' ? sign : { type: 'made', value: { headers, sign: sign.value } };
}

const none: Made<Headers> = { type: 'made', value: {} };
const authorization = (value: string): Made<Headers> => ({ type: 'made', value: { authorization: value } });

async function bearer({ hook }: Signer, { secrets }: Means): Promise<Made<Headers>> {
  if (hook.auth.bearer === undefined) return none;
  const read = await secrets.read(hook.auth.bearer.name, hook.auth.bearer.key);
  if (read.type === 'missing') return problem(`auth.bearer: ${read.message}`);
  const value = `Bearer ${read.value.trim()}`;
  secrets.add(value);
  return authorization(value);
}

async function basic({ hook }: Signer, { secrets, open }: Means): Promise<Made<Headers>> {
  const { basic: from } = hook.auth;
  if (from === undefined) return none;
  const [name, password] = [await open.read(from, 'username'), await secrets.read(from, 'password')];
  if (name.type === 'missing') return problem(`auth.basic: ${name.message}`);
  if (password.type === 'missing') return problem(`auth.basic: ${password.message}`);
  const user = oneLine(name.value);
  if (user.includes(':'))
    return problem(
      `auth.basic: the username in Secret ${from} contains a colon, which RFC 7617 does not allow`,
    );
  const pair = toBase64(`${user}:${oneLine(password.value)}`);
  secrets.add(pair);
  return authorization(`Basic ${pair}`);
}

/** Files from which Secrets are made often end with a newline. */
const oneLine = (text: string): string => text.replace(/\r?\n$/, '');

async function signature(
  { hook, clock, random, hmac }: Signer,
  { secrets }: Means,
  body: string,
): Promise<Made<() => Headers>> {
  const { hmac: key } = hook.auth;
  if (key === undefined) return { type: 'made', value: () => ({}) };
  const read = await secrets.read(key.name, key.key);
  if (read.type === 'missing') return problem(`auth.hmac: ${read.message}`);
  const sign = (): Headers => {
    const headers = nonceSignature({ hmac, key: read.value, now: clock.now(), nonce: random.uuid() }, body);
    const older = hmac(read.value, signedText(headers[timestampHeader] ?? '', body));
    return { ...headers, [signatureHeader]: signatureOf(older) };
  };
  return { type: 'made', value: sign };
}
