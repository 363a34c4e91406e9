import { millis } from '#base/time.ts';
import { unlessAborted } from '#base/unless-aborted.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { witnessOf } from '#hooks/call/evidence.ts';
import { secretsOf, type Secrets } from '#hooks/call/secrets.ts';
import type { Address } from '#registrations/decide/address.ts';
import type { HookAnswer } from '#registrations/decide/cycle.ts';
import { isHookReached } from '#registrations/decide/judge-answer.ts';
import type { HookHealth } from '#registrations/decide/registration-status.ts';
import type { RegisteredHook } from '#registrations/model/registration.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { MadeCall } from './last-calls.ts';
import { sendToHook, type FindRoute } from './send-to-hook.ts';
import { outgoingRequest, type HookCall } from './outgoing-request.ts';
import { secretReader, type LookupObject } from './hook-references.ts';

export type HookClientDeps = Pick<ControlDeps, 'outgoing' | 'hmac' | 'clock' | 'random'> & {
  readonly hook: RegisteredHook;
  /** The namespace of the controller, where the Secrets are. */
  readonly namespace: string;
  readonly findRoute: FindRoute;
  /** Called when the health changes. */
  readonly onHealthChange: () => void;
  /** Receives each call that was made about an instance. */
  readonly keepCall?: ((instance: string, call: MadeCall) => void) | undefined;
};

/** The resolved address of the hook and the objects that a call needs. */
export type HookEndpoint = {
  readonly address: Address;
  readonly lookup: LookupObject;
  /** The resource versions of the Secrets and ConfigMaps that a call uses. */
  readonly versions: string;
};

/** Calls the hook of one registration. */
export class HookClient {
  readonly #deps: HookClientDeps;
  readonly #breaker: CircuitBreaker;
  #endpoint: HookEndpoint | undefined;
  #lastFailure = '';
  #health: HookHealth = { type: 'unknown' };
  readonly #resolved = Promise.withResolvers<void>();

  constructor(deps: HookClientDeps) {
    this.#deps = deps;
    this.#breaker = new CircuitBreaker(deps.clock, deps.random);
  }

  set endpoint(known: HookEndpoint) {
    this.#endpoint = known;
    this.#resolved.resolve();
  }

  /** Changes when the address or a credential of the hook changes. */
  get endpointVersion(): string {
    if (this.#endpoint === undefined) return '';
    const { address, versions } = this.#endpoint;
    return `${address.type === 'address' ? address.url : address.message} ${versions}`;
  }

  get health(): HookHealth {
    return this.#health;
  }

  /**
   * Calls the hook. A failed call is an answer too; rejects only when the signal aborts, or with what `sending` throws,
   * which is called directly before the request is sent.
   */
  async call(
    order: HookCall,
    signal: AbortSignal,
    sending: () => void = () => undefined,
  ): Promise<HookAnswer> {
    const { address, lookup } = await this.#known(signal);
    if (address.type === 'unresolved')
      return { type: 'failed', message: `the address of the hook is unknown: ${address.message}` };
    const read = (): Secrets => secretsOf(secretReader(lookup), this.#deps.namespace, signal);
    const secrets = read();
    const made = await outgoingRequest(
      this.#deps,
      { url: address.url, lookup, secrets, open: read() },
      order,
    );
    const witness = witnessOf(secrets);
    if (made.type === 'problem') return { type: 'failed', message: witness.text(made.message) };
    const { instance } = order;
    const pass = await this.#breaker.pass(instance, signal);
    if (pass.type === 'rest') {
      const message = `the hook is not called for a while after repeated failures (${this.#lastFailure})`;
      return { type: 'resting', until: pass.until, message };
    }
    try {
      sending();
      const at = this.#deps.clock.now();
      const answer = await sendToHook(this.#deps, made.value, witness, signal);
      const latency = millis(this.#deps.clock.now() - at);
      const { url, body: request = '' } = made.value;
      const { phase } = order;
      this.#deps.keepCall?.(instance, { at, phase, url, request, answer, latency, hide: witness.text });
      this.#judge(answer, instance);
      return answer;
    } catch (error) {
      this.#breaker.abandoned(instance);
      throw error;
    }
  }

  #judge(answer: HookAnswer, instance: string): void {
    if (isHookReached(answer)) {
      this.#breaker.succeeded();
      return this.#setHealth({ type: 'reached' });
    }
    this.#breaker.failed(instance);
    // Also for instances that are rejected while the breaker is open.
    this.#lastFailure = answer.type === 'answer' ? `it answered ${answer.status}` : answer.message;
    if (this.#breaker.isOpen) this.#setHealth({ type: 'unreachable', message: this.#lastFailure });
  }

  #setHealth(health: HookHealth): void {
    const isNews = this.#health.type !== health.type;
    if (isNews) this.#health = health;
    if (isNews) this.#deps.onHealthChange();
  }

  /** Waits until the endpoint is resolved for the first time. */
  async #known(signal: AbortSignal): Promise<HookEndpoint> {
    while (this.#endpoint === undefined) await unlessAborted(this.#resolved.promise, signal);
    return this.#endpoint;
  }
}
