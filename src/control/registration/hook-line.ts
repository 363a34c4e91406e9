import type { Phase } from '#api/registration/hook.ts';
import {
  phaseHeader,
  requestIdHeader,
  signatureHeader,
  signatureOf,
  signedText,
  timestampHeader,
} from '#api/registration/hook-headers.ts';
import { readErrorReply } from '#api/registration/read-reply.ts';
import type { JsonObject } from '#base/json.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import { witnessOf, type Witness } from '#control/hook/providers/evidence.ts';
import type { Made } from '#control/hook/providers/request-headers.ts';
import { secretsOf, type Secrets } from '#control/hook/providers/secrets.ts';
import { trustOf } from '#control/hook/providers/trust.ts';
import type { Address } from '#decide/registration/address.ts';
import type { HookAnswer } from '#decide/registration/cycle.ts';
import { isHookUp } from '#decide/registration/judge-answer.ts';
import type { HookSpec } from '#decide/registration/registration.ts';
import type { OutgoingAnswer, OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { Breaker } from './breaker.ts';
import { caBundleOf, secretsHere, type KeptObject } from './hook-secrets.ts';

export type HookLineDeps = Pick<ControlDeps, 'outgoing' | 'hmac' | 'clock' | 'random'> & {
  readonly hook: HookSpec;
  /** The namespace of the controller, where the Secrets are. */
  readonly namespace: string;
  /** Another way to an address whose name nobody knows. */
  readonly detour: (
    url: string,
    signal: AbortSignal,
  ) => Promise<{ readonly url: string; readonly host: string } | undefined>;
};

export type HookOrder = { readonly phase: Phase; readonly request: JsonObject };

/** What the manager knows of the hook, kept up to date while the line is in use. */
export type Bearings = {
  readonly address: Address;
  readonly kept: KeptObject;
  /** The versions of what is kept. */
  readonly versions: string;
};

const unknown: Bearings = {
  address: { type: 'unresolved', message: 'the address is not known yet' },
  kept: () => undefined,
  versions: '',
};

/** The line to the hook of one registration. */
export class HookLine {
  bearings: Bearings = unknown;
  readonly #deps: HookLineDeps;
  readonly #breaker: Breaker;

  constructor(deps: HookLineDeps) {
    this.#deps = deps;
    this.#breaker = new Breaker(deps.clock, deps.random);
  }

  /** Where the hook is and how it is called, as far as it matters to those who call it. */
  get place(): string {
    const { address, versions } = this.bearings;
    return `${address.type === 'address' ? address.url : address.message} ${versions}`;
  }

  /** Asks the hook. What goes wrong is an answer; rejects only when the signal aborts. */
  async call(order: HookOrder, signal: AbortSignal): Promise<HookAnswer> {
    const { address } = this.bearings;
    if (address.type === 'unresolved')
      return { type: 'failed', message: `the address of the hook is unknown: ${address.message}` };
    const secrets = this.#secrets(signal);
    const made = await this.#request(address.url, order, secrets);
    const witness = witnessOf(secrets.used);
    if (made.type === 'problem') return { type: 'failed', message: witness.text(made.message) };
    const pass = await this.#breaker.pass(signal);
    if (pass.type === 'rest') {
      const message = 'the hook failed so often that it is given a rest';
      return { type: 'resting', until: pass.until, message };
    }
    try {
      const answer = heard(await this.#send(made.value, signal), witness);
      if (isUp(answer)) this.#breaker.succeeded();
      else this.#breaker.failed();
      return answer;
    } catch (error) {
      this.#breaker.abandoned();
      throw error;
    }
  }

  #secrets(signal: AbortSignal): Secrets {
    return secretsOf(secretsHere(this.bearings.kept), this.#deps.namespace, signal);
  }

  async #request(
    url: string,
    { phase, request }: HookOrder,
    secrets: Secrets,
  ): Promise<Made<OutgoingRequest>> {
    const { hook, clock, random, hmac } = this.#deps;
    const { caBundleFrom: _from, ...tls } = hook.tls;
    const caBundle = caBundleOf(hook, this.bearings.kept);
    const trust = await trustOf(
      {
        ...(caBundle === undefined ? {} : { caBundle }),
        ...(tls.clientCertificate === undefined
          ? {}
          : { clientCertificate: { secretName: tls.clientCertificate } }),
      },
      secrets,
    );
    if (trust.type === 'problem') return trust;
    const body = JSON.stringify(request);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json',
      [requestIdHeader]: random.uuid(),
      [phaseHeader]: phase,
    };
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
    const value = {
      method: 'POST',
      url,
      headers,
      body,
      timeout: hook.timeout,
      maxBytes: hook.maxReplyBytes,
      // What is signed and who is trusted hold for this address alone (H-10).
      redirects: 'refuse' as const,
      ...(trust.value === undefined ? {} : { tls: trust.value }),
    };
    return { type: 'made', value };
  }

  async #send(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
    const { outgoing, detour } = this.#deps;
    const answer = await outgoing(request, signal);
    if (answer.type !== 'failed' || answer.why !== 'dns') return answer;
    const way = await detour(request.url, signal);
    if (way === undefined) return answer;
    return outgoing({ ...request, url: way.url, headers: { ...request.headers, host: way.host } }, signal);
  }
}

/** Who says what is wrong, in the words of the protocol, is up, whatever the status. */
const isUp = (answer: HookAnswer): boolean =>
  isHookUp(answer) ||
  (answer.type === 'answer' && answer.status !== 429 && readErrorReply(answer.body) !== undefined);

function heard(answer: OutgoingAnswer, witness: Witness): HookAnswer {
  if (answer.type === 'failed') return { type: 'failed', message: witness.text(answer.message) };
  const { status, headers, body } = answer;
  return { type: 'answer', status, retryAfter: headers['retry-after'], body: witness.hide(body) };
}
